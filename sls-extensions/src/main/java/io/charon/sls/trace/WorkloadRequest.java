/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The settings of a workload file to create.
 *
 * @param out the file
 * @param node size of a node
 * @param nodes number of nodes; if empty, the size of the traced cell
 * @param draw number of jobs to draw; if empty, all are taken
 * @param productionRatio wanted used over requested memory of production, 0 to 1
 * @param productionPageCache share of production's used memory that is page cache, 0 to 1; if
 *     empty, the share published of real cells
 * @param load number of times that each best-effort submission is written, at least 1
 * @param seed seed of the drawn values
 */
public record WorkloadRequest(
    Path out,
    TraceNodeSize node,
    OptionalInt nodes,
    Optional<Draw> draw,
    OptionalDouble productionRatio,
    OptionalDouble productionPageCache,
    int load,
    long seed) {
  /** Creates a request with the published share of page cache. */
  public WorkloadRequest(
      Path out,
      TraceNodeSize node,
      OptionalInt nodes,
      Optional<Draw> draw,
      OptionalDouble productionRatio,
      int load,
      long seed) {
    this(out, node, nodes, draw, productionRatio, OptionalDouble.empty(), load, seed);
  }

  /**
   * The number of jobs to draw.
   *
   * @param productionJobs not negative
   * @param bestEffortJobs not negative
   */
  public record Draw(int productionJobs, int bestEffortJobs) {
    /** Returns the numbers of the Charon paper's simulation (section 5.5). */
    public static Draw ofThePaper() {
      return new Draw(754, 3074);
    }
  }
}
