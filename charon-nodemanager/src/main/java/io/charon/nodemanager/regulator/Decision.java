/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.regulator;

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
 */
public record Decision(
    Action action,
    double limit,
    Cause cause,
    Observation observation,
    Optional<NormalRange> judgedBy,
    Optional<NormalRange> range) {

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
    return text.toString();
  }
}
