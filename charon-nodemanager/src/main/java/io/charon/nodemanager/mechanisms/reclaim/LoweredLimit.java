/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

/**
 * The values of a container's cgroup of version 1, and the lower limit that it gets briefly; the
 * kernel reclaims the difference meanwhile.
 *
 * @param limitBytes its limit as found, bytes
 * @param lowBytes its brief limit, bytes
 * @param swappiness its own swappiness as found
 */
record LoweredLimit(long limitBytes, long lowBytes, long swappiness) {
  /** Returns the values on one line, for a file. */
  String text() {
    return limitBytes + " " + lowBytes + " " + swappiness;
  }

  /**
   * Parses the result of {@link #text()}.
   *
   * @throws IllegalArgumentException if a value is not a number
   * @throws IndexOutOfBoundsException if a value is missing
   */
  static LoweredLimit of(String text) {
    String[] numbers = text.split(" ", -1);
    return new LoweredLimit(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }
}
