/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.cpuset.Cores;
import java.util.Locale;
import java.util.Optional;

/**
 * What a regulator decided, with everything it decided by.
 *
 * @param action what happens to the limit
 * @param limit what best-effort may use now, in the unit of the capacity; never above it
 * @param cause the rule that decided
 * @param observation what was seen
 * @param judgedBy the range that the observation was held against; empty while none was known
 * @param range the range that holds from now on; empty while none is known
 * @param cores which cores these are, where the limit is their number
 */
public record Decision(
    Action action,
    double limit,
    Cause cause,
    Observation observation,
    Optional<NormalRange> judgedBy,
    Optional<NormalRange> range,
    Optional<CoreChoice> cores) {

  /** A decision on an amount. */
  public Decision(
      Action action,
      double limit,
      Cause cause,
      Observation observation,
      Optional<NormalRange> judgedBy,
      Optional<NormalRange> range) {
    this(action, limit, cause, observation, judgedBy, range, Optional.empty());
  }

  /** Whether best-effort may use what it might by another decision, neither more nor less. */
  public boolean allowsAsMuchAs(Decision other) {
    return limit == other.limit && chosen().equals(other.chosen());
  }

  /** Whether best-effort may use all that it might by another decision, and more. */
  public boolean allowsMoreThan(Decision other) {
    return limit > other.limit && chosen().containsAll(other.chosen());
  }

  private Cores chosen() {
    return cores.map(CoreChoice::chosen).orElseGet(Cores::none);
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
    text.append("; cores ")
        .append(choice.chosen())
        .append(" of ")
        .append(choice.usable())
        .append(choice.pinned().isEmpty() ? ", none pinned" : ", pinned " + choice.pinned());
  }
}
