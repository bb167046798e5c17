/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * A part of a cache, in ways or percent.
 *
 * @param number at least 1
 * @param percent whether the number is a percentage of all ways, then at most 100
 */
public record WaysAmount(int number, boolean percent) {
  private static final int WHOLE = 100;

  /**
   * Returns the number of ways; percentages are rounded down.
   *
   * @param all number of ways of the cache
   * @param least minimum number of ways
   */
  public int of(int all, int least) {
    int ways = percent ? all * number / WHOLE : Math.min(number, all);
    return Math.max(least, ways);
  }

  @Override
  public String toString() {
    return percent ? number + " %" : Integer.toString(number);
  }
}
