/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import java.util.List;

/**
 * What {@code bench launch} measured.
 *
 * @param series those that were begun
 * @param options what was asked for
 * @param kernelKiller whether containers were registered with the kernel UA killer, too
 * @param kernel release
 * @param cgroups version, 1 or 2
 * @param processors of this machine
 * @param loadAverage of the minute before
 * @param repeated rounds that were measured again, because somebody set the clock
 * @param seconds that it took
 */
public record LaunchResult(
    List<LaunchSeries> series,
    LaunchOptions options,
    boolean kernelKiller,
    String kernel,
    int cgroups,
    int processors,
    double loadAverage,
    int repeated,
    double seconds) {
  /** Copies the list. */
  public LaunchResult {
    series = List.copyOf(series);
  }
}
