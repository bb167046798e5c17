/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The last decision of a mechanism; without availability and note while it is off.
 *
 * @param name name of the mechanism, such as memory or cpu
 * @param mode off, observe or enforce
 * @param available whether it can work on this machine
 * @param unavailable why not, with the cure
 * @param signal what it observes
 * @param limit what best-effort may use
 * @param cause the rule that decided
 * @param result applied, not applied or failed, with details
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RegulatorDocument(
    String name,
    String mode,
    Boolean available,
    String unavailable,
    @JsonUnwrapped Signal signal,
    @JsonUnwrapped Limit limit,
    String cause,
    String result) {

  /**
   * The observed signal of the foreground; written beside the mechanism's other values.
   *
   * @param signal its name
   * @param signalNote why this and not a better signal; absent if there is nothing to note
   * @param signalUnit unit of value, mean and deviation
   * @param missing why value and bestEffort are absent, if they were measured before
   * @param value last value of the signal; absent if it could not be measured
   * @param mean mu, or for cores the mean load if they follow it; absent during the first window
   * @param standardDeviation sigma; absent during the first window
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Signal(
      String signal,
      String signalNote,
      String signalUnit,
      String missing,
      Double value,
      Double mean,
      Double standardDeviation) {}

  /**
   * The limited resource; written beside the mechanism's other values.
   *
   * @param limitUnit unit of capacity, bestEffort and limit; absent if the mechanism has none of
   *     them
   * @param capacity size of the resource
   * @param bestEffort use by best-effort; absent if it could not be measured
   * @param limit the amount that best-effort may use
   * @param cores the cores of the limit as a list; absent if the limit is not a number of cores
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Limit(
      String limitUnit, Double capacity, Double bestEffort, Double limit, String cores) {}
}
