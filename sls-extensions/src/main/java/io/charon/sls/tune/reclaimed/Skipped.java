/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

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
