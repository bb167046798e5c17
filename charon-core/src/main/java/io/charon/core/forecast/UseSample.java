/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.List;

/**
 * What the production containers of one machine used in one interval.
 *
 * @param interval which one: intervals of {@link #MINUTES} minutes counted from any midnight
 * @param containers those that ran
 */
public record UseSample(long interval, List<ContainerUse> containers) {
  /** Length of an interval (EuroSys'21: the samples of Google's traces). */
  public static final int MINUTES = 5;

  /** Intervals of a day. */
  public static final int PER_DAY = 24 * 60 / MINUTES;

  /** Keeps its own list. */
  public UseSample {
    containers = List.copyOf(containers);
  }

  /** What they used together. */
  public double use() {
    double sum = 0;
    for (ContainerUse container : containers) {
      sum += container.use();
    }
    return sum;
  }

  /** What they reserved together. */
  public double reserved() {
    double sum = 0;
    for (ContainerUse container : containers) {
      sum += container.request();
    }
    return sum;
  }

  /** Use as a share of what is reserved, at most 1; 0 if nothing is. */
  public double share() {
    double reserved = reserved();
    return reserved == 0 ? 0 : Math.min(1, use() / reserved);
  }
}
