/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import java.util.List;

/**
 * What of a table was left out.
 *
 * @param named the series and the first rows that were left out, in the order of the series; at
 *     most 1,000 rows, and one more for each series
 * @param rows number of single rows that were left out, named or not
 */
public record LeftOut(List<Skipped> named, long rows) {
  /**
   * A row or series that was left out.
   *
   * @param series name of the series
   * @param place file and line of the problem
   * @param cause the problem
   * @param whole whether the whole series was left out, or only the row
   */
  public record Skipped(String series, String place, String cause, boolean whole) {
    @Override
    public String toString() {
      return "%s: %s; %s"
          .formatted(
              place, cause, whole ? "series " + series + " is skipped" : "the row is left out");
    }
  }

  /** Copies the list. */
  public LeftOut {
    named = List.copyOf(named);
  }

  /** Returns the number of whole series that were left out. */
  public long series() {
    return named.stream().filter(Skipped::whole).count();
  }

  /** Returns the number of rows and series that were left out. */
  public long all() {
    return rows + series();
  }
}
