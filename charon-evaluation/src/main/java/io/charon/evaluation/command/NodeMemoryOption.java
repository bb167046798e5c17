/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.playground.JobRun;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for the memory size of a cluster's nodes. */
final class NodeMemoryOption {
  static final String NAME = "--node-memory-mb";

  @Option(
      names = NAME,
      defaultValue = "" + DemoCommand.MEMORY_NODE_MB,
      paramLabel = "MB",
      description = "Memory of each of the two nodes. Default: ${DEFAULT-VALUE}.")
  private int nodeMemoryMb;

  /**
   * Returns the plan of a cluster.
   *
   * @throws ParameterException if the nodes are too small
   */
  WorkloadPlan plan(CommandSpec spec) {
    OptionRanges.require(spec, NAME, nodeMemoryMb, 1, 1 << 20);
    return OptionRanges.accepted(spec, () -> JobRun.plan(nodeMemoryMb));
  }
}
