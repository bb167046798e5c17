/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Locale;
import java.util.Map;

/**
 * One line of the audit log: a decision of a mechanism, or of an operator who stops best-effort,
 * with its basis and its outcome.
 *
 * @param time time of the decision, ISO-8601
 * @param regulator the mechanism, such as memory; or scheduler, freeze, stop, or placement for a
 *     promotion or demotion that failed at first
 * @param mode observe: nothing was carried out; enforce: see the result
 * @param basis the readings on which it was decided, and the limit
 * @param action keep, tighten or widen for limits; otherwise such as launch, burst, protect,
 *     freeze, reclaim, thaw or kill; for placement promote or demote; for stop leave, freeze, thaw,
 *     kill, resume, or keep if an order cannot be read
 * @param target the container; or best-effort, production or node as a whole
 * @param result applied, not applied or failed, with details
 * @param reason the rule, in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"time", "regulator", "mode", "basis", "action", "target", "result", "reason"})
public record AuditRecord(
    String time,
    String regulator,
    String mode,
    @JsonUnwrapped Basis basis,
    String action,
    String target,
    String result,
    String reason) {
  /**
   * The readings on which a mechanism decided, and the limit; its components are written beside
   * those of the line.
   *
   * @param foreground the protected containers or processes
   * @param inputs measured values, capacities, and the range that they were compared with; for a
   *     limit that moved several times within a second also the number of moves and the lowest and
   *     highest limit
   * @param limit limit of best-effort from now on; for protect the new value; for freeze the
   *     available memory below which containers are frozen
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonPropertyOrder({"foreground", "inputs", "limit"})
  public record Basis(String foreground, Map<String, Double> inputs, double limit) {}

  /** Returns an enum constant in the notation of the audit log and the status. */
  public static String lower(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
