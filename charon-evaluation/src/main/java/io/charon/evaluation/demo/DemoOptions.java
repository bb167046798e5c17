/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.LinuxExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the user asked for.
 *
 * @param modes the modes to run, in this order
 * @param repeat how many conclusive runs of all modes there shall be, those of former calls
 *     included; at least 1
 * @param workload what best-effort is short of
 * @param baseline how long production runs alone before best-effort comes
 * @param window how long best-effort jobs are submitted and counted
 * @param nodeMemoryMb memory of each node, MiB
 * @param input text to read instead of Hadoop's source files
 * @param inputMb size of the input, MiB; the text is cut or repeated
 * @param output directory of the pictures, and of what former calls found
 * @param outgrowing whether one more best-effort job outgrows its estimate
 * @param calibrates whether one best-effort job of each kind runs alone after production alone, for
 *     {@code charon sls validate}
 * @param linux runs containers as users of their own; empty for this process's user
 * @param html file that gets the picture of the result
 * @param json file that gets the result as JSON
 */
public record DemoOptions(
    List<DemoMode> modes,
    int repeat,
    WorkloadKind workload,
    Duration baseline,
    Duration window,
    int nodeMemoryMb,
    Optional<Path> input,
    int inputMb,
    Path output,
    boolean outgrowing,
    boolean calibrates,
    Optional<LinuxExecutor> linux,
    Path html,
    Optional<Path> json) {
  /** Copies the list. */
  public DemoOptions {
    modes = List.copyOf(modes);
  }
}
