/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.CounterRate;
import io.charon.core.mechanism.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The rate at which a counter rises, summed over cgroups that come and go. A new cgroup contributes
 * from its second reading.
 */
final class RateSum {
  /** Reads one cgroup's counter. */
  interface Counter {
    double read(Path cgroup) throws IOException;
  }

  private final Counter counter;
  private final Map<Path, CounterRate> rates = new HashMap<>();

  RateSum(Counter counter) {
    this.counter = counter;
  }

  /** Returns the rise per second since the previous reading; missing at the first one. */
  Measurement read(long nanos, List<Path> cgroups) {
    rates.keySet().retainAll(cgroups);
    double sum = 0;
    boolean known = false;
    for (Path cgroup : cgroups) {
      try {
        CounterRate rate = rates.computeIfAbsent(cgroup, path -> new CounterRate());
        OptionalDouble risen = rate.read(nanos, counter.read(cgroup));
        known |= risen.isPresent();
        sum += risen.orElse(0);
      } catch (IOException e) {
        if (Files.isDirectory(cgroup)) {
          return Measurement.missing(e.getMessage());
        }
      }
    }
    if (known) {
      return Measurement.of(sum);
    }
    return Measurement.missing(
        cgroups.isEmpty() ? "no cgroup of the foreground exists" : "a rate needs two readings");
  }
}
