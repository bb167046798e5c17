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
 * What {@code bench colocation} is asked to do.
 *
 * @param scenarios names from {@link ColocationBench#SCENARIOS}, in the order of the table
 * @param modes only these, where a scenario knows them; empty: all of each scenario
 * @param repetitions how often each mode runs, at least 1
 * @param measured how long each run counts, at least 1 s
 * @param window of all regulators; empty for the paper's
 * @param quick only one static limit in each scenario, unless modes are given
 * @param audit directory for what regulators do, as a NodeManager writes it; empty for nowhere
 */
public record ColocationOptions(
    List<String> scenarios,
    Optional<List<ColocationMode>> modes,
    int repetitions,
    Duration measured,
    Optional<Duration> window,
    boolean quick,
    Optional<Path> audit) {
  /** Checks nothing but copies the lists. */
  public ColocationOptions {
    scenarios = List.copyOf(scenarios);
    modes = modes.map(List::copyOf);
  }
}
