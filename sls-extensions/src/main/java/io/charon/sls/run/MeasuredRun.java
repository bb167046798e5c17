/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What was measured in one run, just made or read from a file.
 *
 * @param policy its name
 * @param load how often each best-effort job was submitted
 * @param seed of all randomness
 * @param values of all measures
 */
public record MeasuredRun(String policy, int load, long seed, Map<Measure, Double> values) {
  /** Copies the values. */
  public MeasuredRun {
    values = Collections.unmodifiableMap(new EnumMap<>(values));
  }

  /** Measures a run. */
  public static MeasuredRun of(ComparedRun run) {
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      values.put(measure, measure.of(run));
    }
    RunResult result = run.run();
    return new MeasuredRun(result.policy().key(), result.load(), result.seed(), values);
  }
}
