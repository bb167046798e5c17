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
 * The hardware that the processors of a machine share: threads share a physical core, cores share a
 * last-level cache, and caches share a NUMA node.
 *
 * @param physicalCores all known physical cores; no thread belongs to two of them
 */
public record Topology(List<PhysicalCore> physicalCores) {
  /**
   * A physical core.
   *
   * @param threads its processors, at least one
   * @param cache all processors that share its last-level cache; the empty set if that is not known
   * @param node its NUMA node, at least 0
   */
  public record PhysicalCore(Cores threads, Cores cache, int node) {}

  /** Copies the list. */
  public Topology {
    physicalCores = List.copyOf(physicalCores);
  }

  /** Returns a topology in which nothing is known: each processor counts as a core of its own. */
  public static Topology unknown() {
    return new Topology(List.of());
  }

  /**
   * Returns the physical cores that have a thread among the given processors, with all their
   * threads. A processor that is not known counts as a core of its own.
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

  /** Returns the number of threads of the largest physical core among these; at least 1. */
  public int maxThreadsPerCore(Cores processors) {
    return coresOf(processors).stream().mapToInt(core -> core.threads().count()).max().orElse(1);
  }

  /**
   * Describes some processors in readable text. The result is empty if it would say no more than
   * their number: nothing is known, or no core has two threads and there is only one cache and one
   * NUMA node.
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
    return Optional.of(counts(processors));
  }

  /** Returns in readable text how many cores, caches and NUMA nodes some processors belong to. */
  public String counts(Cores processors) {
    List<PhysicalCore> cores = coresOf(processors);
    return String.format(
        Locale.ROOT,
        "physical cores %d, last-level caches %d, NUMA nodes %d",
        cores.size(),
        cores.stream().map(PhysicalCore::cache).distinct().count(),
        cores.stream().map(PhysicalCore::node).distinct().count());
  }

  /** Returns all known processors. */
  public Cores processors() {
    return physicalCores.stream().map(PhysicalCore::threads).reduce(Cores.none(), Cores::with);
  }
}
