/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.law.CounterRate;
import io.charon.core.law.bandwidth.BandwidthUse;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the memory traffic of all groups of resctrl together and of best-effort's group (Memory
 * Bandwidth Monitoring). A counter that is read for the first time, has decreased, or is currently
 * unavailable in the kernel makes the value of its socket unknown for this reading. Not
 * thread-safe.
 */
final class BandwidthSensor {
  private static final String COUNTER = "mbm_total_bytes";
  private static final Pattern DOMAIN = Pattern.compile("mon_L3_(\\d{1,9})");

  private final ResctrlFiles files;
  private final Map<Path, CounterRate> rates = new HashMap<>();

  BandwidthSensor(ResctrlFiles files) {
    this.files = files;
  }

  /** Returns why bandwidth cannot be counted, with the cure; empty if it can. */
  Optional<String> unavailable() {
    Path features = files.info("L3_MON", "mon_features");
    try {
      return ResctrlFiles.read(features).lines().anyMatch(COUNTER::equals)
          ? Optional.empty()
          : Optional.of(
              features + " has no " + COUNTER + ": the processor does not measure bandwidth");
    } catch (IOException e) {
      return Optional.of(
          features
              + " cannot be read: the processor needs memory bandwidth monitoring (flag"
              + " cqm_mbm_total in /proc/cpuinfo), and resctrl must be mounted");
    }
  }

  /**
   * Returns the sockets without any rates, for a limit that needs no counter.
   *
   * @throws IOException naming the file that cannot be read
   */
  BandwidthUse domains() throws IOException {
    SortedMap<Integer, BandwidthUse.Domain> domains = new TreeMap<>();
    files
        .schema(files.root(), ResctrlFiles.BANDWIDTH)
        .keySet()
        .forEach(
            domain ->
                domains.put(
                    domain,
                    new BandwidthUse.Domain(OptionalDouble.empty(), OptionalDouble.empty())));
    return new BandwidthUse(domains);
  }

  /**
   * Reads all counters.
   *
   * @param nanos now, monotonic
   * @throws IOException naming the directory that cannot be read
   */
  BandwidthUse read(long nanos) throws IOException {
    SortedMap<Integer, Optional<Double>> total = new TreeMap<>();
    SortedMap<Integer, OptionalDouble> bestEffort = new TreeMap<>();
    List<Path> seen = new ArrayList<>();
    boolean counted = hasTasks();
    for (Path group : groups()) {
      Path counters = group.resolve("mon_data");
      for (Path directory : Files.isDirectory(counters) ? children(counters) : List.<Path>of()) {
        Matcher name = DOMAIN.matcher(directory.getFileName().toString());
        if (name.matches()) {
          int domain = Integer.parseInt(name.group(1));
          Path counter = directory.resolve(COUNTER);
          OptionalDouble rate = rate(nanos, counter);
          seen.add(counter);
          total.merge(
              domain,
              rate.isPresent() ? Optional.of(rate.getAsDouble()) : Optional.empty(),
              (one, other) -> one.flatMap(sum -> other.map(more -> sum + more)));
          if (counted && group.equals(files.group())) {
            bestEffort.put(domain, rate);
          }
        }
      }
    }
    rates.keySet().retainAll(seen);
    SortedMap<Integer, BandwidthUse.Domain> domains = new TreeMap<>();
    total.forEach(
        (domain, sum) ->
            domains.put(
                domain,
                new BandwidthUse.Domain(
                    sum.map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                    bestEffort.getOrDefault(domain, OptionalDouble.empty()))));
    return new BandwidthUse(domains);
  }

  /** Returns the default group and all other groups; each counts only its own tasks. */
  private List<Path> groups() throws IOException {
    List<Path> groups = new ArrayList<>(List.of(files.root()));
    for (Path child : children(files.root())) {
      if (Files.exists(ResctrlFiles.schemata(child))) {
        groups.add(child);
      }
    }
    return groups;
  }

  /**
   * Returns whether best-effort's group contains tasks. Without any, its counters say nothing about
   * best-effort, which runs elsewhere or not at all.
   */
  private boolean hasTasks() throws IOException {
    Path tasks = ResctrlFiles.tasks(files.group());
    return Files.exists(tasks) && !ResctrlFiles.read(tasks).isEmpty();
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, Files::isDirectory)) {
      all.forEach(children::add);
    }
    return children;
  }

  private OptionalDouble rate(long nanos, Path counter) {
    try {
      // The kernel writes "Unavailable" or "Error" for a counter that it does not have at the
      // moment.
      long bytes = ResctrlFiles.number(counter, 10, 0, Long.MAX_VALUE);
      return rates.computeIfAbsent(counter, path -> new CounterRate()).read(nanos, (double) bytes);
    } catch (IOException e) {
      rates.remove(counter);
      return OptionalDouble.empty();
    }
  }
}
