/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.trace.TraceNodeSize;
import java.nio.file.Path;
import java.util.OptionalDouble;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of every command that writes a workload. */
final class WorkloadOptions {
  private static final long GIBIBYTE = 1L << 30;
  private static final int MAX_GIBIBYTES = 1 << 20;
  private static final int MAX_CORES = 1 << 16;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Workload file to write. The file appears only when it is complete.")
  private Path out;

  @Option(
      names = "--node-memory-gb",
      defaultValue = "128",
      paramLabel = "GB",
      description = "Memory of a node, 1 to 1048576 GiB. Default: ${DEFAULT-VALUE}.")
  private int nodeGibibytes;

  @Option(
      names = "--node-cores",
      defaultValue = "32",
      paramLabel = "N",
      description = "Cores of a node, 1 to 65536. Default: ${DEFAULT-VALUE}.")
  private int nodeCores;

  @Option(
      names = "--production-ratio",
      paramLabel = "R",
      description =
          "Share of its request that production uses, 0.05 to 0.95; the paper reports about "
              + "0.70. Without this option all tasks are calibrated alike.")
  private Double productionRatio;

  @Option(
      names = "--production-page-cache",
      paramLabel = "R",
      description =
          "Share of production's used memory that is page cache, 0 to 0.95; two thirds of "
              + "the page cache are used repeatedly. Default: 0.09, as published.")
  private Double productionPageCache;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "S",
      description = "The same seed gives the same workload. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  /** Rejects values outside of their ranges. */
  void check(CommandSpec spec) {
    OptionRanges.require(spec, "--node-memory-gb", nodeGibibytes, 1, MAX_GIBIBYTES);
    OptionRanges.require(spec, "--node-cores", nodeCores, 1, MAX_CORES);
    if (productionRatio != null) {
      OptionRanges.require(spec, "--production-ratio", productionRatio, 0.05, 0.95);
    }
    if (productionPageCache != null) {
      OptionRanges.require(spec, "--production-page-cache", productionPageCache, 0, 0.95);
    }
  }

  Path out() {
    return out;
  }

  TraceNodeSize node() {
    return new TraceNodeSize(nodeGibibytes * GIBIBYTE, nodeCores);
  }

  OptionalDouble productionRatio() {
    return productionRatio == null ? OptionalDouble.empty() : OptionalDouble.of(productionRatio);
  }

  OptionalDouble productionPageCache() {
    return productionPageCache == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(productionPageCache);
  }

  long seed() {
    return seed;
  }

  boolean json() {
    return json;
  }
}
