/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of {@code bench colocation}.
 *
 * @param scenarios names from {@link ColocationBench#SCENARIOS}, in the order of the table
 * @param modes modes to run, where a scenario knows them; empty for all modes of each scenario
 * @param repetitions number of runs of each mode, at least 1
 * @param measured measured time of each run, at least 1 s
 * @param window window of all regulators; empty for the paper's windows
 * @param quick whether to run only one static limit per scenario, unless modes are given
 * @param audit directory for the regulators' actions in the NodeManager's format; empty for none
 */
public record ColocationOptions(
    List<String> scenarios,
    Optional<List<ColocationMode>> modes,
    int repetitions,
    Duration measured,
    Optional<Duration> window,
    boolean quick,
    Optional<Path> audit) {
  /** Copies the lists without any checks. */
  public ColocationOptions {
    scenarios = List.copyOf(scenarios);
    modes = modes.map(List::copyOf);
  }
}
