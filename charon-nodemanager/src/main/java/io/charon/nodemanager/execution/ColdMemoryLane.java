/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import java.io.IOException;

/**
 * Reclaims cold memory in a lane, because a tick must not wait for the kernel. Each request leaves
 * a line in the audit, in mode observe as well. Thread-safe.
 */
final class ColdMemoryLane {
  private final Lanes lanes;
  private final Counter failures;
  private final Line line;

  /** Receives each request and its result. */
  @FunctionalInterface
  interface Line {
    /** Writes the line, on the lane's thread or on the caller's. */
    void leave(String mechanism, RegulatorMode mode, Action.ReclaimCold wanted, String result);
  }

  ColdMemoryLane(Lanes lanes, Counter failures, Line line) {
    this.lanes = lanes;
    this.failures = failures;
    this.line = line;
  }

  /**
   * Reclaims cold memory, or reports that it would.
   *
   * @param mechanism the mechanism that wants it
   * @param mode the mechanism's mode
   * @param actuator reclaims the memory
   * @param observed the result that is reported if the mode is not enforce
   */
  void take(
      String mechanism,
      RegulatorMode mode,
      Actuator actuator,
      Action.ReclaimCold wanted,
      String observed) {
    if (mode != RegulatorMode.ENFORCE) {
      line.leave(mechanism, mode, wanted, observed);
      return;
    }
    lanes.run(
        mechanism + " " + wanted.target(),
        () -> {
          String result;
          try {
            result = "applied: " + actuator.apply(wanted);
          } catch (IOException | RuntimeException e) {
            failures.inc();
            result = "failed: " + (e instanceof IOException ? e.getMessage() : e);
          }
          line.leave(mechanism, mode, wanted, result);
        });
  }
}
