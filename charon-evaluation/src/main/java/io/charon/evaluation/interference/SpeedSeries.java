/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How fast a program was, interval by interval. An interval is 100 ms or longer: one in which
 * nothing got done ends with the next thing that does. So all statistics weigh an interval by its
 * time.
 *
 * @param intervals in their order
 */
record SpeedSeries(List<Interval> intervals) {
  /** For so long the speed has to be full before it counts as reached, seconds. */
  private static final double LASTING_SECONDS = 0.5;

  /** A last interval without news is the program's silence only if it is longer, nanoseconds. */
  private static final long SILENCE_NANOS = 250_000_000;

  /**
   * What was done in some time.
   *
   * @param seconds above 0
   * @param operations how many
   */
  record Interval(double seconds, double operations) {
    double perSecond() {
      return operations / seconds;
    }
  }

  /**
   * What a program said of itself at one instant.
   *
   * @param nanos {@link System#nanoTime} then
   * @param waitedNanos how long it had waited for a processor since its start
   * @param operations done since its start
   */
  record Mark(long nanos, long waitedNanos, long operations) {}

  SpeedSeries {
    intervals = List.copyOf(intervals);
  }

  /**
   * The series of a span of time. What is open at its end counts as nothing done, if it lasts
   * longer than any interval should.
   *
   * @param marks what the program said, in that order; some before and after the span
   * @param countsWaiting whether time in which it waited for a processor counts
   */
  static SpeedSeries between(
      List<Mark> marks, long fromNanos, long toNanos, boolean countsWaiting) {
    List<Interval> intervals = new ArrayList<>();
    for (int i = 1; i < marks.size(); i++) {
      Mark before = marks.get(i - 1);
      Mark after = marks.get(i);
      double whole = after.nanos() - before.nanos();
      double inside = Math.min(after.nanos(), toNanos) - Math.max(before.nanos(), fromNanos);
      double waited = countsWaiting ? 0 : after.waitedNanos() - before.waitedNanos();
      if (inside > 0 && whole > waited) {
        intervals.add(
            new Interval(
                (whole - waited) / 1e9 * (inside / whole),
                (after.operations() - before.operations()) * (inside / whole)));
      }
    }
    long last = marks.isEmpty() ? fromNanos : Math.max(fromNanos, lastOf(marks).nanos());
    if (toNanos - last > SILENCE_NANOS) {
      intervals.add(new Interval((toNanos - last) / 1e9, 0));
    }
    return new SpeedSeries(intervals);
  }

  private static Mark lastOf(List<Mark> marks) {
    return marks.get(marks.size() - 1);
  }

  double seconds() {
    return intervals.stream().mapToDouble(Interval::seconds).sum();
  }

  /** In which share of the time it was slower than that, 0 to 1; 0 of no time. */
  double shareBelow(double perSecond) {
    double all = seconds();
    return all == 0
        ? 0
        : intervals.stream()
                .filter(interval -> interval.perSecond() < perSecond)
                .mapToDouble(Interval::seconds)
                .sum()
            / all;
  }

  /** Half of the time it was at most so fast, operations a second; empty of no time. */
  OptionalDouble median() {
    double half = seconds() / 2;
    double passed = 0;
    for (Interval interval :
        intervals.stream().sorted(Comparator.comparingDouble(Interval::perSecond)).toList()) {
      passed += interval.seconds();
      if (passed >= half) {
        return OptionalDouble.of(interval.perSecond());
      }
    }
    return OptionalDouble.empty();
  }

  /**
   * Seconds from the beginning until it was so fast for half a second; empty if it never was.
   *
   * @param perSecond operations
   */
  OptionalDouble secondsTo(double perSecond) {
    double passed = 0;
    for (int i = 0; i < intervals.size(); i++) {
      if (isFastFrom(i, perSecond)) {
        return OptionalDouble.of(passed);
      }
      passed += intervals.get(i).seconds();
    }
    return OptionalDouble.empty();
  }

  private boolean isFastFrom(int first, double perSecond) {
    double seconds = 0;
    double operations = 0;
    for (int i = first; i < intervals.size() && seconds < LASTING_SECONDS; i++) {
      seconds += intervals.get(i).seconds();
      operations += intervals.get(i).operations();
    }
    return seconds > 0 && operations / seconds >= perSecond;
  }
}
