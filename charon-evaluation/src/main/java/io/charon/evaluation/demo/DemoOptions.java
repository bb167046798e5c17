/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.LinuxExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of the demo.
 *
 * @param modes the modes to run, in this order
 * @param repeat number of conclusive runs of all modes to reach, those of earlier invocations
 *     included; at least 1, and 1 always makes one run
 * @param remeasures whether a mode is measured once more if the machine did not keep its pace
 * @param calibrates whether one best-effort job of each kind runs alone after mode alone, for
 *     {@code charon sls validate}
 * @param linux runs containers as users of their own; empty to run them as this process's user
 * @param workload production and best-effort
 * @param input text that the jobs read
 * @param output files to which the result is written
 */
public record DemoOptions(
    List<DemoMode> modes,
    int repeat,
    boolean remeasures,
    boolean calibrates,
    Optional<LinuxExecutor> linux,
    Workload workload,
    Input input,
    Output output) {
  /**
   * Production and best-effort.
   *
   * @param kind the resource that is short
   * @param baseline how long production runs alone before best-effort starts, and again after it
   *     has been ended
   * @param window how long best-effort jobs are submitted and counted
   * @param slowsDown whether these times become longer on a slow machine
   * @param nodeMemoryMb memory of each node, MiB
   * @param outgrowing whether an additional best-effort job outgrows its estimate
   */
  public record Workload(
      WorkloadKind kind,
      Duration baseline,
      Duration window,
      boolean slowsDown,
      int nodeMemoryMb,
      boolean outgrowing) {
    /**
     * Divides the memory of the nodes; the times are those of a machine of the usual speed.
     *
     * @throws IllegalArgumentException if the nodes are too small
     */
    WorkloadPlan plan() {
      return WorkloadPlan.of(kind, nodeMemoryMb, WorkloadTimes.usual(baseline, window), outgrowing);
    }
  }

  /**
   * Text that the jobs read.
   *
   * @param text text to read instead of Hadoop's source files
   * @param megabytes size of the input, MiB; the text is cut or repeated
   */
  public record Input(Optional<Path> text, int megabytes) {}

  /**
   * Files to which the result is written.
   *
   * @param directory directory of the pictures and of the results of earlier invocations
   * @param html file of the picture of the result
   * @param json file of the result as JSON
   */
  public record Output(Path directory, Path html, Optional<Path> json) {
    private static final int PROBE_BYTES = 1 << 20;

    /**
     * Creates the directories of the files and tests that they can be written, so that no result is
     * lost after minutes.
     *
     * @throws IllegalArgumentException if one cannot; the message names it, with the reason and the
     *     cure
     */
    void requireWritable() {
      requireWritable("--output", directory);
      requireWritable("--html", directoryOf(html));
      json.ifPresent(file -> requireWritable("--json", directoryOf(file)));
    }

    private static Path directoryOf(Path file) {
      Path absolute = file.toAbsolutePath();
      return absolute.getParent() == null ? absolute : absolute.getParent();
    }

    private static void requireWritable(String option, Path directory) {
      try {
        Files.createDirectories(directory);
        Path probe = Files.createTempFile(directory, "writable-", ".tmp");
        try {
          Files.write(probe, new byte[PROBE_BYTES]);
        } finally {
          Files.delete(probe);
        }
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "%s: nothing can be written to %s (%s). Free space there, or name another directory"
                .formatted(option, directory, e),
            e);
      }
    }
  }

  /** Copies the list. */
  public DemoOptions {
    modes = List.copyOf(modes);
  }
}
