/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Locale;

/**
 * One planned run.
 *
 * @param production kind of production
 * @param mode policy for best-effort
 * @param load number of copies of each best-effort submission; 0 without best-effort jobs
 * @param repetition number of the repetition, from 0
 */
record PlannedRun(ProductionKind production, ClusterMode mode, int load, int repetition) {
  /** Returns a title of one line. */
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
