/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** The highest value of a sliding window of time. */
public final class SlidingMaximum {
  private record Seen(long nanos, long value) {}

  /** Values that no newer value exceeds or equals, from the highest and oldest to the newest. */
  private final Deque<Seen> highest = new ArrayDeque<>();

  private final long lengthNanos;

  /**
   * Creates an empty window.
   *
   * @param length how long a value stays in the window
   */
  public SlidingMaximum(Duration length) {
    this.lengthNanos = length.toNanos();
  }

  /**
   * Adds a value.
   *
   * @param nanos the time of the value, on a clock with an arbitrary origin
   * @param value the value
   */
  public void add(long nanos, long value) {
    forget(nanos);
    while (!highest.isEmpty() && highest.peekLast().value() <= value) {
      highest.removeLast();
    }
    highest.addLast(new Seen(nanos, value));
  }

  /** Returns the highest value; empty if no value was added within the window. */
  public OptionalLong value(long nanos) {
    forget(nanos);
    return highest.isEmpty() ? OptionalLong.empty() : OptionalLong.of(highest.peekFirst().value());
  }

  private void forget(long nanos) {
    while (!highest.isEmpty() && nanos - highest.peekFirst().nanos() > lengthNanos) {
      highest.removeFirst();
    }
  }
}
