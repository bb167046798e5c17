/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.MechanismReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a regulator decided, with everything it decided by.
 *
 * @param change what happens to the limit
 * @param limit what best-effort may use now, in the unit of the capacity; never above it
 * @param cause the rule that decided
 * @param observation what was seen
 * @param judgedBy the range that the observation was held against; empty while none was known
 * @param range the range that holds from now on; empty while none is known
 * @param cores which cores these are, where the limit is their number
 */
public record Decision(
    Change change,
    double limit,
    Cause cause,
    Observation observation,
    Optional<NormalRange> judgedBy,
    Optional<NormalRange> range,
    Optional<CoreChoice> cores) {
  /** How many cores foreground is pinned to. */
  static final String PINNED = "pinned";

  /** A decision on an amount. */
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
   * What the limit was decided by, in units of the limit; of the CPU quota foreground, mean and
   * deviation are those of the signal; of cores mean is that of the load, where it is followed.
   *
   * @param protects who is protected, in words
   * @param bestEffort what best-effort uses, if that is known
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

  /** One sentence: the rule, what was measured, and the range it was held against. */
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
