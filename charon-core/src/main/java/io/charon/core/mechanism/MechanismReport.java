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
 * The state that a mechanism publishes; status, metrics and web pages are derived from it alone.
 *
 * @param signal the observed signal, in readable text
 * @param note why this signal is used and not a better one; empty if there is no note
 * @param quantities everything that it measures or decides, including quantities without a value
 * @param detail facts that numbers do not express, such as which cores; empty if there are none
 * @param cause the rule that decided last; empty before the first decision
 */
public record MechanismReport(
    String signal,
    Optional<String> note,
    List<Quantity> quantities,
    Optional<String> detail,
    Optional<String> cause) {
  /** The amount that best-effort may use. */
  public static final String LIMIT = "limit";

  /** The observed value. */
  public static final String VALUE = "value";

  /** The learned mean of the observed value. */
  public static final String MEAN = "mean";

  /** The learned standard deviation of the observed value. */
  public static final String DEVIATION = "standardDeviation";

  /** The total amount of the limited resource. */
  public static final String CAPACITY = "capacity";

  /** The amount of the resource that best-effort uses. */
  public static final String BEST_EFFORT = "bestEffort";

  /**
   * A number with its unit.
   *
   * @param name one of the names above, or one that the mechanism defines
   * @param unit such as bytes, cores, bytes_per_second, ratio
   * @param value empty while it is not known
   */
  public record Quantity(String name, String unit, OptionalDouble value) {
    /** Returns a quantity of the last decision; without a value if there was none. */
    public static Quantity of(String name, String unit, Optional<? extends Number> value) {
      return new Quantity(
          name,
          unit,
          value
              .map(known -> OptionalDouble.of(known.doubleValue()))
              .orElseGet(OptionalDouble::empty));
    }
  }

  /** Returns the quantity with the given name. */
  public Optional<Quantity> quantity(String name) {
    return quantities.stream().filter(quantity -> quantity.name().equals(name)).findFirst();
  }

  /** Returns the value of a quantity; empty if it is not known or if there is no such quantity. */
  public OptionalDouble value(String name) {
    return quantity(name).map(Quantity::value).orElse(OptionalDouble.empty());
  }
}
