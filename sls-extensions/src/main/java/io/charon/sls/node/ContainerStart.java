/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.time.Duration;
import java.util.Objects;

/**
 * The start of a container before its work begins: its JVM starts. During the start the container
 * holds the memory that its curve begins with.
 *
 * @param time undisturbed duration of the start, zero or more
 * @param cores processor time used per second of the start, cores, not negative
 */
public record ContainerStart(Duration time, double cores) {
  /** No start phase: the work begins at once. */
  public static final ContainerStart NONE = new ContainerStart(Duration.ZERO, 0);

  /** Checks the ranges. */
  public ContainerStart {
    Objects.requireNonNull(time, "time");
    if (time.isNegative() || !(cores >= 0)) {
      throw new IllegalArgumentException(
          "the start of a container needs no negative time or cores, got %s, %s"
              .formatted(time, cores));
    }
  }

  double nanos() {
    return time.toNanos();
  }
}
