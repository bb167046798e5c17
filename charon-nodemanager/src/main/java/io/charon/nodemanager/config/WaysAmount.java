/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * A part of a cache, by ways or by percent.
 *
 * @param number at least 1
 * @param percent whether that is percent of all ways, at most 100 then
 */
public record WaysAmount(int number, boolean percent) {
  private static final int WHOLE = 100;

  /**
   * How many ways that is; percent are rounded down.
   *
   * @param all how many there are
   * @param least how many somebody has at least
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
