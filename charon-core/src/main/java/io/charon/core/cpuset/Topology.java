/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What the processors of a machine share: the threads of a physical core its units, cores their
 * last-level cache, and caches a NUMA node.
 *
 * @param physicalCores every physical core that is known; no thread is in two of them
 */
public record Topology(List<PhysicalCore> physicalCores) {
  /**
   * A physical core.
   *
   * @param threads its processors, one or more
   * @param cache all processors that share its last-level cache; none where that is not known
   * @param node its NUMA node, at least 0
   */
  public record PhysicalCore(Cores threads, Cores cache, int node) {}

  /** Copies the list. */
  public Topology {
    physicalCores = List.copyOf(physicalCores);
  }

  /** Nothing is known: each processor is taken for a core of its own beside equal ones. */
  public static Topology unknown() {
    return new Topology(List.of());
  }

  /**
   * The physical cores of some processors. Of those that have a thread among these all threads are
   * named; a processor of which nothing is known is a core of its own.
   */
  public List<PhysicalCore> coresOf(Cores processors) {
    List<PhysicalCore> all = new ArrayList<>();
    Cores unknown = processors;
    for (PhysicalCore core : physicalCores) {
      if (!core.threads().within(processors).isEmpty()) {
        all.add(core);
        unknown = unknown.minus(core.threads());
      }
    }
    for (int number : unknown.numbers()) {
      all.add(new PhysicalCore(Cores.of(List.of(number)), Cores.none(), 0));
    }
    return all;
  }

  /** How many threads the largest physical core among some processors has; at least 1. */
  public int mostThreads(Cores processors) {
    return coresOf(processors).stream().mapToInt(core -> core.threads().count()).max().orElse(1);
  }

  /**
   * What some processors are, for people; empty where that says no more than their number: nothing
   * is known, or there is one cache only and no core has two threads.
   */
  public Optional<String> describe(Cores processors) {
    Set<Cores> caches = new HashSet<>();
    Set<Integer> nodes = new HashSet<>();
    boolean plain = true;
    for (PhysicalCore core : physicalCores) {
      caches.add(core.cache());
      nodes.add(core.node());
      plain &= core.threads().count() == 1;
    }
    if (plain && caches.size() <= 1 && nodes.size() <= 1) {
      return Optional.empty();
    }
    List<PhysicalCore> cores = coresOf(processors);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "physical cores %d, last-level caches %d, NUMA nodes %d",
            cores.size(),
            cores.stream().map(PhysicalCore::cache).distinct().count(),
            cores.stream().map(PhysicalCore::node).distinct().count()));
  }
}
