/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.Optional;

/**
 * How far the cores of a node may be used before best-effort is suppressed: what production leaves
 * below the line is best-effort's. The parameters are koordinator's CPU suppression, which carries
 * out what Alibaba's ACK describes: 65 %, growth by 10 % and a dead band of 1 % of the node.
 *
 * @param percent the line, percent of the node's cores, 1 to 100
 */
public record WaterLine(int percent) {
  /** A whole node, percent. */
  public static final int MAX_PERCENT = 100;

  private static final double STEP = 0.1;
  private static final double DEAD_BAND = 0.01;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if it is no line
   */
  public WaterLine {
    if (percent < 1 || percent > MAX_PERCENT) {
      throw new IllegalArgumentException("percent must be 1 to 100, was " + percent);
    }
  }

  /** The line; empty at 0 percent, which is none. */
  public static Optional<WaterLine> of(int percent) {
    return percent == 0 ? Optional.empty() : Optional.of(new WaterLine(percent));
  }

  /** What may be used of some cores, by both sides together. */
  public double line(double cores) {
    return cores * percent / MAX_PERCENT;
  }

  /** What stays free of some cores. */
  double headroom(double cores) {
    return cores - line(cores);
  }

  /** By how much best-effort grows at once, at most, cores. */
  static double step(double cores) {
    return STEP * cores;
  }

  /** Changes below this are none, cores. */
  static double deadBand(double cores) {
    return DEAD_BAND * cores;
  }
}
