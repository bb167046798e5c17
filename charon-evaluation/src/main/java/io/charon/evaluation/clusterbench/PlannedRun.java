/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Locale;

/**
 * One run.
 *
 * @param production what production does
 * @param mode who decides on best-effort
 * @param load how often each best-effort submission is repeated; 0 without best-effort jobs
 * @param repetition from 0
 */
record PlannedRun(ProductionKind production, ClusterMode mode, int load, int repetition) {
  /** One line for people. */
  String title() {
    return String.format(
        Locale.ROOT,
        "%s, %s%s, repetition %d",
        production.label(),
        mode.label(),
        load > 0 ? " at X" + load : "",
        repetition + 1);
  }
}
