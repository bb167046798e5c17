/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.util.List;

/**
 * The measurements of {@code bench colocation}.
 *
 * @param options options of the run
 * @param scenarios results in the order of the runs
 * @param agent costs of the agent's ticks
 * @param kernel release of the kernel
 * @param processors number of CPUs
 * @param seconds duration of the run
 */
public record ColocationResult(
    ColocationOptions options,
    List<ScenarioResult> scenarios,
    List<AgentCost> agent,
    String kernel,
    int processors,
    double seconds) {
  /** Copies the lists. */
  public ColocationResult {
    scenarios = List.copyOf(scenarios);
    agent = List.copyOf(agent);
  }
}
