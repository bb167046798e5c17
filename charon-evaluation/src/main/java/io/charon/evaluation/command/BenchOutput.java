/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.JsonFileOption;
import io.charon.cli.OptionRanges;
import io.charon.cli.TextTable;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options and output that all benchmarks share. */
final class BenchOutput {
  @Mixin private final JsonFileOption json = new JsonFileOption();

  @Option(
      names = "--at-most",
      paramLabel = "S",
      description =
          "Stop starting measurements after this number of seconds, 1 to 86400; the result "
              + "says that it is incomplete. For a check that everything works, not for "
              + "results to cite.")
  private Integer atMostSeconds;

  /** Returns the time budget of the benchmark, which starts now. */
  TimeBudget budget(CommandSpec spec) {
    if (atMostSeconds == null) {
      return TimeBudget.unlimited();
    }
    OptionRanges.require(spec, "--at-most", atMostSeconds, 1, 86_400);
    return TimeBudget.of(Duration.ofSeconds(atMostSeconds));
  }

  /**
   * Prints table and remarks, and writes the JSON file if it is requested.
   *
   * @return the report as it was shown: it says whether the budget ran out
   */
  Report show(Report whole, TimeBudget budget, PrintWriter out) throws IOException {
    Report report = whole.within(budget);
    TextTable table = new TextTable(report.header().toArray(String[]::new));
    report.rows().forEach(row -> table.add(row.toArray(String[]::new)));
    out.println();
    table.print(out, "");
    out.println();
    report.remarks().forEach(out::println);
    if (json.file().isPresent()) {
      report.writeJson(json.file().get());
    }
    out.flush();
    return report;
  }
}
