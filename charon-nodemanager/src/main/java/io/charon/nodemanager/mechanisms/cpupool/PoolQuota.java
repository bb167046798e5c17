/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import java.util.Optional;

/**
 * The values that a container's cgroup had before its first change, and the quotas it was given.
 *
 * @param quota quota that was found; empty if there was none
 * @param periodMicros period that was found, with or without a quota, microseconds
 * @param burstMicros burst that was found, microseconds
 * @param before quota before the last change; empty if there was none
 * @param after quota after the last change; whenever this process ends, the cgroup has either this
 *     quota or {@code before}
 */
record PoolQuota(
    Optional<Bandwidth> quota,
    long periodMicros,
    long burstMicros,
    Optional<Bandwidth> before,
    Bandwidth after) {
  private static final String NONE = "none";
  private static final String BETWEEN = " ";
  private static final String OF = "/";

  /**
   * Returns whether Charon gave a quota of this share, whatever its period; otherwise another party
   * set it.
   */
  boolean gave(Bandwidth seen) {
    return after.hasShareOf(seen) || before.filter(known -> known.hasShareOf(seen)).isPresent();
  }

  /** Returns these values in the form in which the file keeps them. */
  String text() {
    return String.join(
        BETWEEN,
        text(quota),
        Long.toString(periodMicros),
        Long.toString(burstMicros),
        text(before),
        text(Optional.of(after)));
  }

  private static String text(Optional<Bandwidth> bandwidth) {
    return bandwidth
        .map(has -> has.quotaMicros() + OF + has.periodMicros() + OF + has.burstMicros())
        .orElse(NONE);
  }

  /**
   * Parses the result of {@link #text()}.
   *
   * @throws IllegalArgumentException or {@link IndexOutOfBoundsException} if the text is malformed
   */
  static PoolQuota parse(String text) {
    String[] words = text.split(BETWEEN, -1);
    return new PoolQuota(
        bandwidth(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        bandwidth(words[3]),
        bandwidth(words[4]).orElseThrow(() -> new IllegalArgumentException(text)));
  }

  private static Optional<Bandwidth> bandwidth(String text) {
    if (text.equals(NONE)) {
      return Optional.empty();
    }
    String[] numbers = text.split(OF, -1);
    return Optional.of(
        new Bandwidth(
            Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2])));
  }
}
