/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.nodemanager.cgroup.CpuBandwidth;

/**
 * What a cgroup had before it got a bucket. The share of a quota belongs to the party that set it:
 * if the share has changed since, it stays, and only burst and period are restored. A period longer
 * than the one found is that of the bucket; any other was set together with the share. The quota
 * found in a longer period is a change that ended between its two writes, which are needed on v1.
 *
 * @param found the values that were found
 */
record BeforeBucket(Bandwidth found) {
  /** Returns the quota that a bucket is made of, at the share of now. */
  Bandwidth quota(Bandwidth seen) {
    return isFounds(seen) ? found : ofShare(seen, seen.periodMicros());
  }

  /** Returns the values that undoing the bucket has to leave, at the share of now. */
  Bandwidth original(Bandwidth seen) {
    return isFounds(seen)
        ? found
        : ofShare(seen, Math.min(seen.periodMicros(), found.periodMicros()));
  }

  private boolean isFounds(Bandwidth seen) {
    return found.hasShareOf(seen)
        || (seen.quotaMicros() == found.quotaMicros()
            && seen.periodMicros() > found.periodMicros());
  }

  /**
   * Returns the values to be stored before a bucket is set. While the period is that of a bucket,
   * these are the values found, because the party that changed the share did not know the original
   * period, and may restore the original share.
   */
  Bandwidth kept(Bandwidth seen) {
    return seen.periodMicros() > found.periodMicros() ? found : quota(seen);
  }

  /** Rounds the quota down, so that the share never grows. */
  private Bandwidth ofShare(Bandwidth seen, long periodMicros) {
    long scaled = seen.quotaMicros() * periodMicros / seen.periodMicros();
    boolean accepted = scaled >= CpuBandwidth.MIN_QUOTA_MICROS;
    long quota = accepted ? scaled : seen.quotaMicros();
    return new Bandwidth(
        quota, accepted ? periodMicros : seen.periodMicros(), Math.min(found.burstMicros(), quota));
  }
}
