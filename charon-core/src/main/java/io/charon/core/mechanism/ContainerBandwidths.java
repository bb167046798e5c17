/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;

/**
 * The CPU quotas of individual containers.
 *
 * @param burst how much unused CPU time the kernel lets a container save
 * @param containers the containers that have a quota, and those that have to lose their token
 *     bucket
 * @param running the number of running production containers, with or without a quota
 */
public record ContainerBandwidths(Burst burst, List<Container> containers, int running)
    implements Reading {
  /** How much saved CPU time a kernel lets a cgroup use. */
  public enum Burst {
    /** None: Linux before 5.14. */
    NONE,
    /** At most its quota: mainline Linux. */
    UP_TO_QUOTA,
    /** A multiple of its quota: kernels of some cloud vendors. */
    BEYOND_QUOTA
  }

  /**
   * The CPU bandwidth that the kernel gives a cgroup (CFS bandwidth control).
   *
   * @param quotaMicros CPU time in each period, in microseconds, above 0
   * @param periodMicros the length of a period, in microseconds, above 0
   * @param burstMicros the amount of unused time that may be used later, in microseconds, at least
   *     0
   */
  public record Bandwidth(long quotaMicros, long periodMicros, long burstMicros) {
    /** Checks the ranges. */
    public Bandwidth {
      if (quotaMicros <= 0 || periodMicros <= 0 || burstMicros < 0) {
        throw new IllegalArgumentException(
            "quota %d, period %d, burst %d".formatted(quotaMicros, periodMicros, burstMicros));
      }
    }

    /** Returns the CPU seconds per second in the long run. */
    public double cores() {
      return (double) quotaMicros / periodMicros;
    }

    /** Returns the CPU time that can be used at once after saving the maximum, in microseconds. */
    public long maxAtOnceMicros() {
      return quotaMicros + burstMicros;
    }

    /**
     * Returns whether both give the same CPU time in the long run. A difference within one
     * microsecond of quota, from rounding, is ignored.
     */
    public boolean hasShareOf(Bandwidth other) {
      return Math.abs(
              (double) quotaMicros * other.periodMicros - (double) other.quotaMicros * periodMicros)
          <= Math.max(periodMicros, other.periodMicros);
    }
  }

  /**
   * A container with a quota.
   *
   * @param id YARN's container id
   * @param production whether it is production now
   * @param seen its current values
   * @param found its values before Charon changed them
   */
  public record Container(String id, boolean production, Bandwidth seen, Bandwidth found) {}

  /** Copies the list. */
  public ContainerBandwidths {
    containers = List.copyOf(containers);
  }
}
