/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

/**
 * What a container's cgroup of version 1 has, and what its memory limit is for a moment: the kernel
 * takes the difference back meanwhile.
 *
 * @param limitBytes its limit, as it was found
 * @param lowBytes its limit for that moment
 * @param swappiness its own, as it was found
 */
record LimitPoke(long limitBytes, long lowBytes, long swappiness) {
  /** On one line, for a file. */
  String text() {
    return limitBytes + " " + lowBytes + " " + swappiness;
  }

  /**
   * The same back.
   *
   * @throws IllegalArgumentException if it is no number
   * @throws IndexOutOfBoundsException if one is missing
   */
  static LimitPoke of(String text) {
    String[] numbers = text.split(" ", -1);
    return new LimitPoke(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }
}
