/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.Optional;

/**
 * The share of a node's cores up to which they may be used before best-effort is suppressed;
 * best-effort gets what production leaves below the line. The parameters are those of koordinator's
 * CPU suppression, which implements what Alibaba's ACK describes: 65 %, growth by 10 % and a dead
 * band of 1 % of the node.
 *
 * @param percent the line, percent of the node's cores, 1 to 100
 */
public record WaterLine(int percent) {
  /** The whole node, in percent. */
  public static final int MAX_PERCENT = 100;

  private static final double STEP = 0.1;
  private static final double DEAD_BAND = 0.01;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the percentage is out of range
   */
  public WaterLine {
    if (percent < 1 || percent > MAX_PERCENT) {
      throw new IllegalArgumentException("percent must be 1 to 100, was " + percent);
    }
  }

  /** Returns the line; empty at 0 percent, which stands for no line. */
  public static Optional<WaterLine> of(int percent) {
    return percent == 0 ? Optional.empty() : Optional.of(new WaterLine(percent));
  }

  /** Returns the part of the given cores that both sides together may use. */
  public double line(double cores) {
    return cores * percent / MAX_PERCENT;
  }

  /** Returns the part of the given cores that stays free. */
  double headroom(double cores) {
    return cores - line(cores);
  }

  /** Returns the maximum growth of best-effort in one step, in cores. */
  static double step(double cores) {
    return STEP * cores;
  }

  /** Returns the smallest change that is applied, in cores. */
  static double deadBand(double cores) {
    return DEAD_BAND * cores;
  }
}
