/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The outcome of the demo on an existing cluster.
 *
 * @param productionSeconds from the submission of the production job to its end; empty if the job
 *     did not succeed
 * @param submitted number of best-effort jobs that the ResourceManager accepted
 * @param completed number of best-effort jobs that succeeded
 * @param failed number of best-effort jobs that failed
 * @param containers container events on the nodes during the demo, those of other applications
 *     included; empty if a node did not answer
 * @param problems wrong outputs, and jobs that could not be submitted
 */
record ClusterOutcome(
    Optional<Double> productionSeconds,
    int submitted,
    int completed,
    int failed,
    Optional<ContainerCounts> containers,
    List<String> problems) {

  ClusterOutcome {
    problems = List.copyOf(problems);
  }

  /**
   * Returns whether production and a best-effort job completed, none failed, and all outputs are
   * right.
   */
  boolean ok() {
    return productionSeconds.isPresent() && completed > 0 && failed == 0 && problems.isEmpty();
  }

  /** Returns the outcome as text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Production:       "
            + productionSeconds
                .map(seconds -> String.format(Locale.ROOT, "completed in %.1f s", seconds))
                .orElse("did not complete"));
    lines.add(
        "Best-effort jobs: %d submitted, %d completed, %d failed, %d ended by the demo"
            .formatted(submitted, completed, failed, submitted - completed - failed));
    lines.add(
        "Containers:       "
            + containers
                .map(
                    counts ->
                        "%d best-effort launched, %d rejected, %d killed for memory, %d preempted"
                            .formatted(
                                counts.launched(),
                                counts.rejected(),
                                counts.killed(),
                                counts.preempted()))
                .orElse("unknown, a node did not answer"));
    problems.forEach(problem -> lines.add("Problem:          " + problem));
    return lines;
  }
}
