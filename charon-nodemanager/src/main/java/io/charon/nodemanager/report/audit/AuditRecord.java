/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;
import java.util.Map;

/**
 * One line of the audit: what a mechanism, or an operator who stops best-effort, decided, by what,
 * and what came of it.
 *
 * @param time when, ISO-8601
 * @param regulator which one, such as memory; or pause, or stop
 * @param mode observe: nothing was carried out; enforce: the result says what came of it
 * @param foreground who is protected
 * @param inputs what was measured, what there is, and the range it was held against; where a limit
 *     moved several times within a second, also how often, and the lowest and highest it had
 * @param limit what best-effort may use from now on; of pause below how much available memory
 *     containers are frozen
 * @param action keep, tighten, widen or kill; of pause freeze, reclaim, resume or kill; of stop
 *     leave, freeze, thaw, kill, resume, or keep where an order cannot be read
 * @param target whose limit it is, or who was killed
 * @param result applied, not applied or failed, and how or why
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
  /** A choice as the audit and the status write it. */
  public static String lower(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
