/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.machine.BenchMachine;
import java.util.List;

/**
 * The measurements of {@code bench launch}.
 *
 * @param series the series that were started
 * @param options options of the run
 * @param kernelKiller whether containers were registered with the kernel UA killer as well
 * @param machine the machine
 * @param repeated number of rounds that were repeated because the clock was set
 * @param seconds duration of the run
 */
public record LaunchResult(
    List<LaunchSeries> series,
    LaunchOptions options,
    boolean kernelKiller,
    BenchMachine machine,
    int repeated,
    double seconds) {
  /** Copies the list. */
  public LaunchResult {
    series = List.copyOf(series);
  }
}
