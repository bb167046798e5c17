/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import io.charon.replay.ReplayResult.Difference;
import io.charon.replay.ReplayResult.Recording;
import io.charon.replay.ReplayResult.Shifts;
import io.charon.replay.ReplayResult.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Counts the differences between a recording and its replay, over all files. */
final class ReplayTally {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double GIBIBYTE = 1L << 30;
  private static final int SHOWN = 20;

  /**
   * Start times closer than this count as equal: YARN asks some milliseconds after a memory sample,
   * the replay at the sample.
   */
  private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The counts of one side. */
  static final class Counts {
    private long launched;
    private double waitSeconds;
    private long withoutMemory;
    private double byteSeconds;

    void launched(long waitedNanos) {
      launched++;
      waitSeconds += waitedNanos / NANOS_PER_SECOND;
    }

    void reading(boolean nothingLeft, long usedBytes, double seconds) {
      if (nothingLeft) {
        withoutMemory++;
      }
      byteSeconds += usedBytes * seconds;
    }

    private Side side() {
      return new Side(launched, waitSeconds, withoutMemory, byteSeconds / GIBIBYTE);
    }
  }

  private final Counts recorded = new Counts();
  private final Counts replayed = new Counts();
  private final List<Difference> differences = new ArrayList<>();
  private double seconds;
  private long readings;
  private long kills;
  private long lost;
  private long earlier;
  private double earlierSeconds;
  private long later;
  private double laterSeconds;
  private long notStarted;

  Counts recorded() {
    return recorded;
  }

  Counts replayed() {
    return replayed;
  }

  void reading() {
    readings++;
  }

  void killed() {
    kills++;
  }

  void lost(long lines) {
    lost += lines;
  }

  void lasted(long nanos) {
    seconds += nanos / NANOS_PER_SECOND;
  }

  /**
   * Compares the start times of a container that has ended, or that is known when the recording
   * ends.
   *
   * @param beganNanos when the file began
   * @param recordedNanos when the container started
   * @param replayedNanos when it would have started
   */
  void compare(
      String containerId,
      long beganNanos,
      Optional<Long> recordedNanos,
      Optional<Long> replayedNanos) {
    if (recordedNanos.isEmpty() && replayedNanos.isEmpty()) {
      return;
    }
    if (replayedNanos.isEmpty()) {
      notStarted++;
    } else if (recordedNanos.isEmpty()) {
      earlier++;
    } else {
      long lead = recordedNanos.get() - replayedNanos.get();
      if (Math.abs(lead) < SAME_NANOS) {
        return;
      }
      if (lead > 0) {
        earlier++;
        earlierSeconds += lead / NANOS_PER_SECOND;
      } else {
        later++;
        laterSeconds -= lead / NANOS_PER_SECOND;
      }
    }
    if (differences.size() < SHOWN) {
      differences.add(
          new Difference(
              containerId,
              recordedNanos.map(nanos -> (nanos - beganNanos) / NANOS_PER_SECOND).orElse(null),
              replayedNanos.map(nanos -> (nanos - beganNanos) / NANOS_PER_SECOND).orElse(null)));
    }
  }

  ReplayResult result() {
    return new ReplayResult(
        new Recording(seconds, readings, kills, lost),
        recorded.side(),
        replayed.side(),
        new Shifts(earlier, earlierSeconds, later, laterSeconds, notStarted, differences));
  }
}
