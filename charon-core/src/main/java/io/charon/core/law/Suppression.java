/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.MechanismReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The CPU time that best-effort gets below the water line, and its cause.
 *
 * @param change the direction of the change
 * @param limit the CPU time, in cores
 * @param cause the rule that determined the limit
 * @param observation the observation
 * @param meanLoad production's load in cores, averaged over the observed part of the window
 * @param line the water line
 */
public record Suppression(
    Change change,
    double limit,
    Cause cause,
    Observation observation,
    OptionalDouble meanLoad,
    WaterLine line) {

  /**
   * Returns the values behind the limit, in cores.
   *
   * @param protects a description of the protected containers or processes
   * @param bestEffort the use of best-effort, if it is known
   */
  public Basis basis(String protects, OptionalDouble bestEffort) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    observation.value().ifPresent(value -> inputs.put("foreground", value));
    inputs.put(MechanismReport.CAPACITY, observation.capacity());
    bestEffort.ifPresent(value -> inputs.put(MechanismReport.BEST_EFFORT, value));
    meanLoad.ifPresent(mean -> inputs.put(MechanismReport.MEAN, mean));
    inputs.put("waterLine", line.line(observation.capacity()));
    return new Basis(protects, inputs, limit, cause.name(), reason());
  }

  private String reason() {
    StringBuilder text = new StringBuilder(cause.text());
    observation
        .value()
        .ifPresent(value -> text.append(String.format(Locale.ROOT, "; measured %.6g", value)));
    meanLoad.ifPresent(mean -> text.append(String.format(Locale.ROOT, ", mean %.6g", mean)));
    return text.append(
            String.format(
                Locale.ROOT,
                "; water line %d %% of %.6g cores, that is %.6g",
                line.percent(),
                observation.capacity(),
                line.line(observation.capacity())))
        .toString();
  }
}
