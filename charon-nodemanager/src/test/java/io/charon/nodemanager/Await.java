/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for the work of other threads: long enough for a busy machine, but no longer than
 * necessary.
 */
public final class Await {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private Await() {}

  /** Waits until a condition holds; fails after a minute. */
  public static void await(BooleanSupplier condition) {
    await(POLL_INTERVAL, condition);
  }

  /** Waits until a condition holds that should not be checked too often; fails after a minute. */
  public static void await(Duration betweenLooks, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("in %s", TIMEOUT).isNegative();
      try {
        Thread.sleep(betweenLooks.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
