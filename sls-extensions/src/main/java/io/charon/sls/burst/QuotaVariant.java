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

/** How a share of the processors is given to an application. */
public enum QuotaVariant {
  /** As YARN and Docker do it. */
  NONE("none"),
  /** As everybody does it on Linux: the largest burst of the usual period. */
  USUAL("burst = quota, 100 ms"),
  /** As Alibaba's kernel does it; Linux as it is published refuses it. */
  TENFOLD("burst = 10 quotas, 100 ms"),
  /** As Charon does it by default. */
  HALF_SECOND("bucket, 500 ms"),
  /** The longest period that Linux takes. */
  SECOND("bucket, 1 s"),
  /** No bucket, but a quota that follows the pool. */
  SHARED_POOL("shared pool (AIMD)"),
  /** No quota. */
  UNLIMITED("unlimited");

  private final String label;

  QuotaVariant(String label) {
    this.label = label;
  }

  /** As tables name it. */
  public String label() {
    return label;
  }

  /** Whether the quota changes with the use of the pool. */
  public boolean followsPool() {
    return this == SHARED_POOL;
  }

  /**
   * What the kernel is told in the beginning.
   *
   * @param share quota of the usual period, without a burst
   * @return of the same share; empty without a quota
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
