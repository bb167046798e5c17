/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.core.law.TokenBucket;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import java.util.Optional;

/** The ways to limit an application's share of the processors. */
public enum QuotaVariant {
  /** A quota without a burst, as YARN and Docker set it. */
  NONE("none"),
  /** The usual setting on Linux: the largest burst of the usual period. */
  USUAL("burst = quota, 100 ms"),
  /** The setting of Alibaba's kernel; mainline Linux rejects it. */
  TENFOLD("burst = 10 quotas, 100 ms"),
  /** Charon's default. */
  HALF_SECOND("bucket, 500 ms"),
  /** The longest period that Linux accepts. */
  SECOND("bucket, 1 s"),
  /** No bucket, but a quota that follows the use of the pool. */
  SHARED_POOL("shared pool (AIMD)"),
  /** No quota. */
  UNLIMITED("unlimited");

  private final String label;

  QuotaVariant(String label) {
    this.label = label;
  }

  /** Returns the name of the variant in tables. */
  public String label() {
    return label;
  }

  /** Returns whether the quota changes with the use of the pool. */
  public boolean followsPool() {
    return this == SHARED_POOL;
  }

  /**
   * Returns the bandwidth that an application has at the start.
   *
   * @param share quota of the usual period, without a burst
   * @return a bandwidth of the same share; empty without a quota
   */
  public Optional<Bandwidth> of(Bandwidth share) {
    return switch (this) {
      case NONE, SHARED_POOL -> Optional.of(share);
      case USUAL -> Optional.of(new TokenBucket(2, Burst.UP_TO_QUOTA).of(share));
      case TENFOLD -> Optional.of(new TokenBucket(10, Burst.BEYOND_QUOTA).of(share));
      case HALF_SECOND -> Optional.of(new TokenBucket(10, Burst.UP_TO_QUOTA).of(share));
      case SECOND -> Optional.of(new TokenBucket(TokenBucket.MAX, Burst.UP_TO_QUOTA).of(share));
      case UNLIMITED -> Optional.empty();
    };
  }
}
