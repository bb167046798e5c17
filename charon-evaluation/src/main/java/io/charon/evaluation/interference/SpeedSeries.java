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
 * The speed of production, interval by interval. An interval is 100 ms or longer: a program that is
 * stalled reports the end of an interval only when it makes progress again. All statistics
 * therefore weight an interval by its length.
 *
 * @param intervals intervals in their order
 */
record SpeedSeries(List<Interval> intervals) {
  /** Time for which the full speed has to last before it counts as reached, seconds. */
  private static final double LASTING_SECONDS = 0.5;

  /** Length from which on a last interval without a report counts as a stall, nanoseconds. */
  private static final long SILENCE_NANOS = 250_000_000;

  /**
   * The operations of a span of time.
   *
   * @param seconds length, above 0
   * @param operations number of operations
   */
  record Interval(double seconds, double operations) {
    double perSecond() {
      return operations / seconds;
    }
  }

  /**
   * The progress of production at one instant.
   *
   * @param nanos the instant, {@link System#nanoTime}
   * @param waitedNanos time that it had waited for a processor since its start
   * @param operations operations done since its start
   */
  record Mark(long nanos, long waitedNanos, long operations) {}

  SpeedSeries {
    intervals = List.copyOf(intervals);
  }

  /**
   * Returns the series of a span of time. An interval that is open at the end counts as a stall if
   * it is longer than an interval should be.
   *
   * @param marks progress in its order, some of it before and after the span
   * @param countsWaiting whether time that was waited for a processor counts
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

  /**
   * Returns the share of the time in which the speed was below a value, 0 to 1; 0 if there is no
   * time.
   */
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

  /**
   * Returns the median speed, weighted by time, operations per second; empty if there is no time.
   */
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
   * Returns the seconds from the beginning until a speed was reached for half a second; empty if it
   * never was.
   *
   * @param perSecond speed, operations per second
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
