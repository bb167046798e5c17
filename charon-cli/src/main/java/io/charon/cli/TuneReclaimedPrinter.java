/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.tune.reclaimed.LeftOut;
import io.charon.sls.tune.reclaimed.Score;
import io.charon.sls.tune.reclaimed.TableResult;
import io.charon.sls.tune.reclaimed.TableResult.Scores;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the result of {@code charon tune reclaimed}: one table per table of usage. */
final class TuneReclaimedPrinter {
  private static final int LISTED = 5;

  private final PrintWriter out;

  TuneReclaimedPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints the tables and what was left out. */
  void print(List<TableResult> results, double seconds) {
    results.forEach(this::print);
    out.println(
        "usable: share of the capacity that best-effort could use, on average; gain: "
            + "percentage points above allocation;");
    out.println(
        "violations: 5-minute samples in which production used more than was kept for it; "
            + "excess: by how much;");
    out.println("below peak: samples at which less was kept than the peak of the next 24 hours");
    long samples = results.stream().mapToLong(TableResult::samples).sum();
    out.printf(Locale.ROOT, "%,d samples, %.1f s%n", samples, seconds);
    out.flush();
  }

  private void print(TableResult result) {
    out.printf(
        Locale.ROOT,
        "%s (%s): %,d machines, %,d samples",
        result.table().name(),
        result.table().tuning() ? "tuned on" : "last run",
        result.machines(),
        result.samples());
    if (result.samples() > 0) {
      out.printf(Locale.ROOT, "; production uses %.1f %%", 100 * result.used());
    }
    out.println();
    if (!result.note().isEmpty()) {
      out.println("no result: " + result.note());
    } else {
      printScores(result.scores());
    }
    printLeftOut(result.leftOut());
    out.println();
  }

  private void printLeftOut(LeftOut leftOut) {
    leftOut.named().stream()
        .limit(LISTED)
        .forEach(skipped -> out.println("left out: " + PlainText.escape(skipped.toString())));
    if (leftOut.all() > LISTED) {
      int named = leftOut.named().size();
      out.printf(
          Locale.ROOT,
          "left out: %,d in all, %,d of them whole series; --json lists %s%n",
          leftOut.all(),
          leftOut.series(),
          named == leftOut.all() ? "them" : String.format(Locale.ROOT, "%,d of them", named));
    }
  }

  private void printScores(Scores scores) {
    TextTable table =
        new TextTable("predictor", "usable", "gain", "violations", "excess", "below peak");
    double allocated = scores.allocation().usable();
    row(table, "by allocation", scores.allocation(), allocated);
    scores.predictors().forEach((name, score) -> row(table, name, score, allocated));
    row(table, "oracle, next 24 h", scores.oracle(), allocated);
    table.print(out, "");
  }

  private static void row(TextTable table, String name, Score score, double allocated) {
    table.add(
        name,
        percent(score.usable(), 1),
        String.format(Locale.ROOT, "%+.1f", 100 * (score.usable() - allocated)),
        percent(score.violations(), 3),
        percent(score.meanExcess(), 2),
        percent(score.belowPeak(), 1));
  }

  private static String percent(double share, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f %%", 100 * share);
  }
}
