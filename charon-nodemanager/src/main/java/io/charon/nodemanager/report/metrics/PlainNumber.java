/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.math.BigDecimal;

/** Formats numbers in a notation that both Prometheus and people read. */
final class PlainNumber {
  private PlainNumber() {}

  /**
   * Formats a number without an exponent; {@code +Inf}, {@code -Inf} or {@code NaN} for special
   * values.
   */
  static String of(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == 0 ? "0" : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
