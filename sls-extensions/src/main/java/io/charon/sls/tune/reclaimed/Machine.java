/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.core.forecast.ContainerUse;
import io.charon.core.forecast.UseSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Series that are treated as the containers of one machine. */
record Machine(List<UsageSeries> series) {

  /**
   * Combines the given number of series to each machine, in their order; an incomplete last machine
   * is left out.
   */
  static List<Machine> of(List<UsageSeries> series, int perMachine) {
    List<Machine> machines = new ArrayList<>();
    for (int from = 0; from + perMachine <= series.size(); from += perMachine) {
      machines.add(new Machine(List.copyOf(series.subList(from, from + perMachine))));
    }
    return machines;
  }

  long first() {
    return series.stream().mapToLong(UsageSeries::first).max().orElseThrow();
  }

  long end() {
    return series.stream().mapToLong(UsageSeries::end).min().orElseThrow();
  }

  /** Returns the sample of one interval; empty unless all series have a value in it. */
  Optional<UseSample> sample(long interval) {
    List<ContainerUse> containers = new ArrayList<>(series.size());
    for (UsageSeries container : series) {
      if (!container.has(interval)) {
        return Optional.empty();
      }
      containers.add(
          new ContainerUse(container.name(), container.use(interval), container.request(interval)));
    }
    return Optional.of(new UseSample(interval, containers));
  }
}
