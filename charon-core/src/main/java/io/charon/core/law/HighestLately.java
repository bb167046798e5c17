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

/** The highest value of the last while. */
public final class HighestLately {
  private record Seen(long nanos, long value) {}

  /** From the highest, which is the oldest, to the newest: nobody is hidden by a higher younger. */
  private final Deque<Seen> highest = new ArrayDeque<>();

  private final long lengthNanos;

  /**
   * Nothing was seen yet.
   *
   * @param length for how long a value counts
   */
  public HighestLately(Duration length) {
    this.lengthNanos = length.toNanos();
  }

  /**
   * Takes a value.
   *
   * @param nanos when it was seen, on a clock that may start anywhere
   * @param value the value
   */
  public void add(long nanos, long value) {
    forget(nanos);
    while (!highest.isEmpty() && highest.peekLast().value() <= value) {
      highest.removeLast();
    }
    highest.addLast(new Seen(nanos, value));
  }

  /** The highest one; empty if nothing was seen for the whole while. */
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
