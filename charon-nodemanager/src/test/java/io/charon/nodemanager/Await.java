/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do: long enough for a busy machine, and no longer than it takes. */
public final class Await {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Await() {}

  /** Until a condition holds; fails after a minute. */
  public static void await(BooleanSupplier condition) {
    await(BETWEEN_LOOKS, condition);
  }

  /** The same for a condition that is not to be asked too often. */
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
