/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of all checks.
 *
 * @param results one result per check, in the order of the checks
 * @param canRun whether everything essential is there
 */
public record Diagnosis(List<CheckResult> results, boolean canRun) {
  /** Copies the list. */
  public Diagnosis {
    results = List.copyOf(results);
  }

  /**
   * Runs every check once, in order.
   *
   * @param checks the checks
   * @return their results
   */
  public static Diagnosis of(List<Check> checks) {
    boolean canRun = true;
    List<CheckResult> results = new ArrayList<>();
    for (Check check : checks) {
      CheckResult result = check.run();
      results.add(result);
      canRun &= !check.essential() || result.status() != CheckStatus.MISSING;
    }
    return new Diagnosis(results, canRun);
  }

  /**
   * Counts the results with a status.
   *
   * @param status the status
   * @return number of results that have it
   */
  public long count(CheckStatus status) {
    return results.stream().filter(result -> result.status() == status).count();
  }
}
