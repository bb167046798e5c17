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
 * What a workload file is to hold.
 *
 * @param out the file
 * @param node size of a node
 * @param nodes how many; without it as many as the traced cell is large
 * @param draw how many jobs to draw; without it all are taken
 * @param productionRatio wanted used over requested memory of production, 0 to 1
 * @param productionPageCache share of the memory that production uses which is page cache, 0 to 1;
 *     without it as much as was published of real cells
 * @param load how often each best-effort submission is written, at least 1
 * @param seed of everything that is drawn
 */
public record WorkloadRequest(
    Path out,
    NodeSize node,
    OptionalInt nodes,
    Optional<Draw> draw,
    OptionalDouble productionRatio,
    OptionalDouble productionPageCache,
    int load,
    long seed) {
  /** A workload with as much page cache as was published. */
  public WorkloadRequest(
      Path out,
      NodeSize node,
      OptionalInt nodes,
      Optional<Draw> draw,
      OptionalDouble productionRatio,
      int load,
      long seed) {
    this(out, node, nodes, draw, productionRatio, OptionalDouble.empty(), load, seed);
  }

  /**
   * How many jobs to draw.
   *
   * @param productionJobs not negative
   * @param bestEffortJobs not negative
   */
  public record Draw(int productionJobs, int bestEffortJobs) {
    /** The Charon paper's simulation, section 5.5. */
    public static Draw ofThePaper() {
      return new Draw(754, 3074);
    }
  }
}
