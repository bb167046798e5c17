/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;

/**
 * The CPU quotas of single containers.
 *
 * @param burst how far the kernel lets a container save up
 * @param containers those that have a quota, and those that a bucket must be taken from
 * @param running how many production containers run, with a quota or without
 */
public record ContainerBandwidths(Burst burst, List<Container> containers, int running)
    implements Reading {
  /** How far a kernel lets a cgroup use CPU time that it has saved up. */
  public enum Burst {
    /** Not at all: Linux before 5.14. */
    NONE,
    /** By at most its quota: Linux as it is published. */
    UP_TO_QUOTA,
    /** By a multiple of its quota: kernels of some clouds. */
    BEYOND_QUOTA
  }

  /**
   * What the kernel gives a cgroup (CFS bandwidth control).
   *
   * @param quotaMicros CPU time in each period, microseconds, above 0
   * @param periodMicros how often it is given, microseconds, above 0
   * @param burstMicros how much of what was not used may be used later, microseconds, at least 0
   */
  public record Bandwidth(long quotaMicros, long periodMicros, long burstMicros) {
    /** Checks the ranges. */
    public Bandwidth {
      if (quotaMicros <= 0 || periodMicros <= 0 || burstMicros < 0) {
        throw new IllegalArgumentException(
            "quota %d, period %d, burst %d".formatted(quotaMicros, periodMicros, burstMicros));
      }
    }

    /** CPU seconds per second in the long run. */
    public double cores() {
      return (double) quotaMicros / periodMicros;
    }

    /** CPU time that can be used at once, by whoever saved up all he may, microseconds. */
    public long atOnceMicros() {
      return quotaMicros + burstMicros;
    }

    /** Whether both give the same in the long run, but for a quota's last microsecond. */
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
   * @param seen what it has
   * @param found what it had before Charon touched it
   */
  public record Container(String id, boolean production, Bandwidth seen, Bandwidth found) {}

  /** Copies the list. */
  public ContainerBandwidths {
    containers = List.copyOf(containers);
  }
}
