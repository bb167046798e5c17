/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.TextTable;
import io.charon.evaluation.killer.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What every benchmark does with its report. */
final class BenchOutput {
  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.")
  private Path json;

  /** Prints the table and the remarks, and writes the JSON if that is asked for. */
  void show(Report report, PrintWriter out) throws IOException {
    TextTable table = new TextTable(report.header().toArray(String[]::new));
    report.rows().forEach(row -> table.add(row.toArray(String[]::new)));
    out.println();
    table.print(out, "");
    out.println();
    report.remarks().forEach(out::println);
    if (json != null) {
      report.writeJson(json);
    }
    out.flush();
  }
}
