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
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A controller's decision with all values behind it.
 *
 * @param change the direction of the limit's change
 * @param limit the amount that best-effort may use now, in the unit of the capacity; never above it
 * @param cause the rule that determined the decision
 * @param observation the observation
 * @param judgedBy the range with which the observation was compared; empty if none was known
 * @param range the range that applies from now on; empty if none is known
 * @param cores the chosen cores, if the limit is their number
 */
public record Decision(
    Change change,
    double limit,
    Cause cause,
    Observation observation,
    Optional<NormalRange> judgedBy,
    Optional<NormalRange> range,
    Optional<CoreChoice> cores) {
  /** The number of cores to which the foreground is pinned. */
  static final String PINNED = "pinned";

  /** Creates a decision on an amount. */
  public Decision(
      Change change,
      double limit,
      Cause cause,
      Observation observation,
      Optional<NormalRange> judgedBy,
      Optional<NormalRange> range) {
    this(change, limit, cause, observation, judgedBy, range, Optional.empty());
  }

  /**
   * Returns the values behind the limit, in its unit. For the CPU quota, foreground, mean and
   * deviation are those of the signal; for cores, the mean is that of the load if it is followed.
   *
   * @param protects a description of the protected containers or processes
   * @param bestEffort the use of best-effort, if it is known
   */
  public Basis basis(String protects, OptionalDouble bestEffort) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    observation.value().ifPresent(value -> inputs.put("foreground", value));
    inputs.put(MechanismReport.CAPACITY, observation.capacity());
    bestEffort.ifPresent(value -> inputs.put(MechanismReport.BEST_EFFORT, value));
    judgedBy.ifPresent(
        judge -> {
          inputs.put(MechanismReport.MEAN, judge.mean());
          inputs.put(MechanismReport.DEVIATION, judge.standardDeviation());
          inputs.put("stdFactor", judge.stdFactor());
        });
    cores.ifPresent(
        choice -> {
          inputs.put(PINNED, (double) choice.pinned().count());
          choice.meanLoad().ifPresent(mean -> inputs.put(MechanismReport.MEAN, mean));
        });
    return new Basis(protects, inputs, limit, cause.name(), reason());
  }

  /** Returns one sentence: the rule, the measured value, and the range it was compared with. */
  public String reason() {
    StringBuilder text = new StringBuilder(cause.text());
    observation
        .value()
        .ifPresent(value -> text.append(String.format(Locale.ROOT, "; measured %.6g", value)));
    judgedBy.ifPresent(
        judge ->
            text.append(
                String.format(
                    Locale.ROOT,
                    ", range %.6g to %.6g (mean %.6g, sigma %.6g, c %.3g)",
                    judge.lower(),
                    judge.upper(),
                    judge.mean(),
                    judge.standardDeviation(),
                    judge.stdFactor())));
    cores.ifPresent(choice -> describe(choice, text));
    return text.toString();
  }

  private static void describe(CoreChoice choice, StringBuilder text) {
    choice
        .meanLoad()
        .ifPresent(mean -> text.append(String.format(Locale.ROOT, ", mean %.6g", mean)));
    choice
        .waterLine()
        .ifPresent(line -> text.append("; water line ").append(line.percent()).append(" %"));
    text.append("; cores ")
        .append(choice.chosen())
        .append(" of ")
        .append(choice.usable())
        .append(choice.pinned().isEmpty() ? ", none pinned" : ", pinned " + choice.pinned());
    choice.topology().describe(choice.chosen()).ifPresent(what -> text.append("; ").append(what));
  }
}
