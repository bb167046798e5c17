/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.List;

/**
 * The use of the production containers of one machine in one interval.
 *
 * @param interval the number of the interval of {@link #MINUTES} minutes, counted from any midnight
 * @param containers the containers that ran in it
 */
public record UseSample(long interval, List<ContainerUse> containers) {
  /** Length of an interval in minutes (EuroSys'21: the samples of Google's traces). */
  public static final int MINUTES = 5;

  /** Number of intervals in a day. */
  public static final int PER_DAY = 24 * 60 / MINUTES;

  /** Copies the list. */
  public UseSample {
    containers = List.copyOf(containers);
  }

  /** Returns the total use of the containers. */
  public double use() {
    double sum = 0;
    for (ContainerUse container : containers) {
      sum += container.use();
    }
    return sum;
  }

  /** Returns the total reservation of the containers. */
  public double reserved() {
    double sum = 0;
    for (ContainerUse container : containers) {
      sum += container.request();
    }
    return sum;
  }

  /** Returns the use as a share of the reservation, at most 1; 0 if nothing is reserved. */
  public double share() {
    double reserved = reserved();
    return reserved == 0 ? 0 : Math.min(1, use() / reserved);
  }
}
