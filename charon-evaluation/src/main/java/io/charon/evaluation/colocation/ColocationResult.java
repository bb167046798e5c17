/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.util.List;

/**
 * What {@code bench colocation} measured.
 *
 * @param options what was asked for
 * @param scenarios one after the other
 * @param agent what its ticks cost
 * @param kernel release of the kernel
 * @param processors how many CPUs
 * @param seconds how long it took
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
