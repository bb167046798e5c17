/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.util.Objects;

/**
 * The finding of one {@link Check}.
 *
 * @param name short, stable name of the facility
 * @param status how much of the facility is there
 * @param detail what was measured or read, and what it means for Charon
 * @param cure what to do about it, as a command where there is one; empty if there is nothing to do
 */
public record CheckResult(String name, CheckStatus status, String detail, String cure) {
  /** Rejects null parts, and a facility that is degraded or missing without a cure. */
  public CheckResult {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(cure, "cure");
    if (status != CheckStatus.OK && cure.isBlank()) {
      throw new IllegalArgumentException("check " + name + " is " + status + " without a cure");
    }
  }

  static CheckResult ok(String name, String detail) {
    return new CheckResult(name, CheckStatus.OK, detail, "");
  }

  static CheckResult degraded(String name, String detail, String cure) {
    return new CheckResult(name, CheckStatus.DEGRADED, detail, cure);
  }

  static CheckResult missing(String name, String detail, String cure) {
    return new CheckResult(name, CheckStatus.MISSING, detail, cure);
  }

  /** Returns this finding for a mechanism that is off: what it lacks is said, but is no problem. */
  CheckResult ofOff() {
    return switch (status) {
      case OK -> ok(name, detail + "; it would work here");
      case DEGRADED -> ok(name, detail + "; it would work with less effect, to cure: " + cure);
      case MISSING -> ok(name, detail + "; it would not work here, to cure: " + cure);
    };
  }
}
