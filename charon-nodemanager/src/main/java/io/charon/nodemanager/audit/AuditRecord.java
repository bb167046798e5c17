/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.charon.nodemanager.regulator.Decision;
import io.charon.nodemanager.regulator.NormalRange;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One line of the audit: what a regulator decided and by what.
 *
 * @param time when, ISO-8601
 * @param regulator which one, such as memory
 * @param mode observe: nothing was carried out
 * @param foreground who is protected
 * @param inputs what was measured, what there is, and the range it was held against; units of the
 *     limit
 * @param limit what best-effort may use from now on
 * @param action keep, tighten or widen
 * @param target whose limit it is
 * @param result what came of it
 * @param reason the rule, in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({
  "time",
  "regulator",
  "mode",
  "foreground",
  "inputs",
  "limit",
  "action",
  "target",
  "result",
  "reason"
})
public record AuditRecord(
    String time,
    String regulator,
    String mode,
    String foreground,
    Map<String, Double> inputs,
    double limit,
    String action,
    String target,
    String result,
    String reason) {

  /** A decision that nobody carries out. */
  public static AuditRecord observed(
      Instant time, String regulator, String foreground, Decision decision) {
    return new AuditRecord(
        time.toString(),
        regulator,
        "observe",
        foreground,
        inputs(decision),
        decision.limit(),
        decision.action().name().toLowerCase(Locale.ROOT),
        "best-effort",
        "not applied",
        decision.reason());
  }

  private static Map<String, Double> inputs(Decision decision) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    decision.observation().value().ifPresent(value -> inputs.put("foreground", value));
    inputs.put("capacity", decision.observation().capacity());
    decision.judgedBy().ifPresent(range -> put(inputs, range));
    return inputs;
  }

  private static void put(Map<String, Double> inputs, NormalRange range) {
    inputs.put("mean", range.mean());
    inputs.put("standardDeviation", range.standardDeviation());
    inputs.put("stdFactor", range.stdFactor());
  }
}
