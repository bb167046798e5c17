/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.trace.WorkloadHeader;
import io.charon.sls.trace.WorkloadHeaderJson;
import io.charon.sls.trace.WorkloadReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** Prints what a workload holds, and which parts of the input were left out. */
final class WorkloadPrinter {
  private final PrintWriter out;

  WorkloadPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints a result as text or as JSON. */
  void print(WorkloadReport report, Path file, double seconds, boolean json)
      throws JsonProcessingException {
    if (json) {
      printJson(report, file, seconds);
    } else {
      printText(report, file, seconds);
    }
    out.flush();
  }

  private void printText(WorkloadReport report, Path file, double seconds) {
    WorkloadHeader header = report.header();
    out.printf(
        Locale.ROOT,
        "%s: %,d production and %,d best-effort jobs, %,d tasks, for %,d nodes of %d cores and %s%n",
        PlainText.escape(file.toString()),
        header.counts().productionJobs(),
        header.counts().bestEffortJobs(),
        header.counts().tasks(),
        header.nodes(),
        header.node().cores(),
        PlainText.bytes(header.node().memoryBytes()));
    out.printf(
        Locale.ROOT,
        "used share of requested memory: %.3f; production %.3f, best-effort %.3f%n",
        header.usedOverRequested().all(),
        header.usedOverRequested().production(),
        header.usedOverRequested().bestEffort());
    header.rules().forEach(rule -> out.println("  " + rule));
    report.leftOut().forEach((reason, count) -> out.printf("left out: %,d %s%n", count, reason));
    if (report.badRows() > 0) {
      out.printf(Locale.ROOT, "left out: %,d bad rows, the first:%n", report.badRows());
      report.firstBadRows().forEach(row -> out.println("  " + PlainText.escape(row)));
    }
    out.printf(
        Locale.ROOT,
        "%,d rows in %.1f s, %,.0f rows/s%n",
        report.rows(),
        seconds,
        report.rows() / seconds);
  }

  private void printJson(WorkloadReport report, Path file, double seconds)
      throws JsonProcessingException {
    JsonMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode json = mapper.valueToTree(report);
    json.set("header", WorkloadHeaderJson.of(report.header()));
    json.put("out", file.toString());
    json.put("seconds", seconds);
    json.put("rowsPerSecond", report.rows() / seconds);
    out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(json));
  }
}
