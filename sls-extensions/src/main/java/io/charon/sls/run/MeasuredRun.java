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
 * The measures of one run, computed or read from a file.
 *
 * @param policy name of the policy
 * @param load number of submissions of each best-effort job
 * @param seed seed of all random numbers
 * @param values values of all measures
 */
public record MeasuredRun(String policy, int load, long seed, Map<Measure, Double> values) {
  /** Copies the values. */
  public MeasuredRun {
    values = Collections.unmodifiableMap(new EnumMap<>(values));
  }

  /** Returns the measures of a run. */
  public static MeasuredRun of(ComparedRun run) {
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      values.put(measure, measure.of(run));
    }
    RunSettings settings = run.run().settings();
    return new MeasuredRun(settings.policy().key(), settings.load(), settings.seed(), values);
  }
}
