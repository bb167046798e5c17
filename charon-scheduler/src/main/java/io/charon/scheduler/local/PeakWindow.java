/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The newest of some positive numbers, and a percentile of them. */
final class PeakWindow {
  private final int size;
  private final Deque<Long> values = new ArrayDeque<>();

  /**
   * An empty window.
   *
   * @param size numbers kept, at least 1
   */
  PeakWindow(int size) {
    this.size = size;
  }

  /** Adds a number; the oldest makes room. */
  void add(long value) {
    if (values.size() == size) {
      values.removeFirst();
    }
    values.addLast(value);
  }

  int count() {
    return values.size();
  }

  /** The oldest first. */
  List<Long> values() {
    return List.copyOf(values);
  }

  /**
   * By nearest rank.
   *
   * @param percent 1 to 100
   */
  long percentile(int percent) {
    long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
    // In integers: 0.07 * 100 is more than 7 in floating point, and its ceiling the wrong rank.
    int rank = (percent * sorted.length + 99) / 100;
    return sorted[rank - 1];
  }
}
