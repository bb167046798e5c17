/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.function.Supplier;

/**
 * The last known availability of something that may be missing or slow at the start and available
 * later, such as a file system that is mounted after the NodeManager has started. Thread-safe.
 */
public final class CheckedAvailability {
  private final Supplier<Availability> check;
  private volatile Availability known;

  /**
   * Creates an availability that is known already.
   *
   * @param known the result of the first check
   * @param check finds it out again, on any thread; may take seconds
   */
  public CheckedAvailability(Availability known, Supplier<Availability> check) {
    this.known = known;
    this.check = check;
  }

  /** Checks now. */
  public static CheckedAvailability of(Supplier<Availability> check) {
    return new CheckedAvailability(check.get(), check);
  }

  /** Returns an availability that never changes while the process runs. */
  public static CheckedAvailability fixed(Availability always) {
    return new CheckedAvailability(always, () -> always);
  }

  /** Returns the result of the last check. */
  public Availability known() {
    return known;
  }

  /** Checks again. */
  public void checkAgain() {
    known = check.get();
  }
}
