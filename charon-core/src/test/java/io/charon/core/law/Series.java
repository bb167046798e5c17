/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Feeds a controller values one second apart, and lets the clock jump. */
final class Series {
  static final long SECOND = 1_000_000_000L;

  private final Regulator regulator;
  private final double capacity;
  private long nanos;

  Series(Regulator regulator, double capacity, long startNanos) {
    this.regulator = regulator;
    this.capacity = capacity;
    this.nanos = startNanos;
  }

  /** Moves the clock forward or back before the next second begins. */
  Series jump(double seconds) {
    nanos += Math.round(seconds * SECOND);
    return this;
  }

  Decision next(double value) {
    return decide(OptionalDouble.of(value));
  }

  Decision missing() {
    return decide(OptionalDouble.empty());
  }

  /** Returns the last of several decisions. */
  Decision next(double... values) {
    Decision last = null;
    for (double value : values) {
      last = next(value);
    }
    return last;
  }

  List<Decision> each(double... values) {
    List<Decision> decisions = new ArrayList<>();
    for (double value : values) {
      decisions.add(next(value));
    }
    return decisions;
  }

  private Decision decide(OptionalDouble value) {
    nanos += SECOND;
    return regulator.decide(new Observation(nanos, value, capacity));
  }
}
