/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.law.TokenBucket;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import java.util.Optional;

/** How the share of a cgroup is given to it. */
public enum BurstVariant {
  /** As YARN and Docker do it. */
  NONE("none"),
  /** As everybody does it on Linux: the largest burst of the usual period. */
  USUAL("burst = quota, 100 ms"),
  /** As Charon does it by default. */
  HALF_SECOND("bucket, 500 ms"),
  /** The longest period that Linux takes. */
  SECOND("bucket, 1 s"),
  /** No quota: what is left of delay is the machine's. */
  UNLIMITED("unlimited");

  private final String label;

  BurstVariant(String label) {
    this.label = label;
  }

  /** A fifth of a core, in the portions that are usual. */
  static Bandwidth share() {
    return new Bandwidth(20_000, 100_000, 0);
  }

  private static Bandwidth bucket(int factor) {
    return new TokenBucket(factor, Burst.UP_TO_QUOTA).of(share());
  }

  /** As tables name it. */
  public String label() {
    return label;
  }

  /** What the cgroup has; empty if it has no quota. */
  public Optional<Bandwidth> bandwidth() {
    return switch (this) {
      case NONE -> Optional.of(share());
      case USUAL -> Optional.of(bucket(2));
      case HALF_SECOND -> Optional.of(bucket(10));
      case SECOND -> Optional.of(bucket(TokenBucket.MOST));
      case UNLIMITED -> Optional.empty();
    };
  }
}
