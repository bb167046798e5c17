/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * Waits for the work of other threads and processes: long enough for a busy machine, but no longer
 * than necessary.
 */
public final class Await {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private Await() {}

  /**
   * Something that comes true.
   *
   * @param <E> what a look at it may throw
   */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Returns whether it is true now. */
    boolean holds() throws E;
  }

  /** Waits until a condition holds; fails after a minute. */
  public static <E extends Exception> void await(Condition<E> condition) throws E {
    await("the condition", condition);
  }

  /** Waits until a condition holds; fails after a minute, with its description. */
  public static <E extends Exception> void await(String what, Condition<E> condition) throws E {
    await(what, POLL_INTERVAL, condition);
  }

  /** Waits until a condition holds that should not be checked too often; fails after a minute. */
  public static <E extends Exception> void await(Duration betweenLooks, Condition<E> condition)
      throws E {
    await("the condition", betweenLooks, condition);
  }

  private static <E extends Exception> void await(
      String what, Duration betweenLooks, Condition<E> condition) throws E {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - deadline).as("%s, in %s", what, TIMEOUT).isNegative();
      try {
        Thread.sleep(betweenLooks.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
