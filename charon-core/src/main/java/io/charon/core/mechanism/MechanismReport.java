/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a mechanism shows: status, metrics and pages are written from this alone.
 *
 * @param signal what is observed, for people
 * @param note why that and not a better one; empty if there is none
 * @param quantities all that it measures or decides, also while they have no value
 * @param detail what a number does not say, such as which cores; empty if nothing
 * @param cause the rule that decided last; empty before the first decision
 */
public record MechanismReport(
    String signal,
    Optional<String> note,
    List<Quantity> quantities,
    Optional<String> detail,
    Optional<String> cause) {
  /** What best-effort may use. */
  public static final String LIMIT = "limit";

  /** What is observed. */
  public static final String VALUE = "value";

  /** The mean that was learned of it. */
  public static final String MEAN = "mean";

  /** Its standard deviation. */
  public static final String DEVIATION = "standardDeviation";

  /** What there is of what is limited. */
  public static final String CAPACITY = "capacity";

  /** What best-effort uses of it. */
  public static final String BEST_EFFORT = "bestEffort";

  /**
   * A number with its unit.
   *
   * @param name one of the names above, or the mechanism's own
   * @param unit such as bytes, cores, bytes_per_second, ratio
   * @param value empty while it is not known
   */
  public record Quantity(String name, String unit, OptionalDouble value) {}

  /** A quantity by its name. */
  public Optional<Quantity> quantity(String name) {
    return quantities.stream().filter(quantity -> quantity.name().equals(name)).findFirst();
  }

  /** The value of a quantity; empty where it is not known, or there is no such quantity. */
  public OptionalDouble value(String name) {
    return quantity(name).map(Quantity::value).orElse(OptionalDouble.empty());
  }
}
