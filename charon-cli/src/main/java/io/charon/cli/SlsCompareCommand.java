/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static io.charon.sls.json.JsonOutput.putFinite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.report.Comparison;
import io.charon.sls.run.Estimate;
import io.charon.sls.run.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code charon sls compare}: compares results side by side. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares results of charon sls run --json, for each policy, load and measure: the "
          + "means over the seeds, the difference of each from the first file, and whether "
          + "their 95 %% confidence intervals overlap. Settings, workloads and "
          + "numbers of seeds that differ are named.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:compared", "1:a file cannot be used", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls compare before.json after.json",
      "  charon sls compare paper.json generated.json measured.json --json",
    })
final class SlsCompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "2..*",
      paramLabel = "RESULT",
      description = "At least two files of charon sls run --json.")
  private List<Path> files;

  @Option(names = "--json", description = "Print the comparison as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (files.size() < 2) {
      throw new ParameterException(spec.commandLine(), "Comparing needs at least two files");
    }
    PrintWriter out = spec.commandLine().getOut();
    List<ResultFile> results = new ArrayList<>();
    for (Path file : files) {
      results.add(ResultFile.read(file));
    }
    Comparison comparison = new Comparison(results);
    if (json) {
      printJson(comparison, out);
    } else {
      printText(comparison, out);
    }
    out.flush();
    return 0;
  }

  private static void printText(Comparison comparison, PrintWriter out) {
    int count = comparison.files().size();
    List<String> header = new ArrayList<>(List.of("policy", "load", "measure", "[1]"));
    for (int i = 1; i < count; i++) {
      out.printf("[%d] %s%n", i, PlainText.escape(comparison.files().get(i - 1).file().toString()));
      header.addAll(List.of("[" + (i + 1) + "]", "difference", "intervals"));
    }
    out.printf(
        "[%d] %s%n%n",
        count, PlainText.escape(comparison.files().get(count - 1).file().toString()));
    TextTable table = new TextTable(header.toArray(String[]::new));
    for (Comparison.Row row : comparison.rows()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  PlainText.escape(row.cell().policy()),
                  "X" + row.cell().load(),
                  row.measure().key(),
                  text(row.values().get(0))));
      for (int i = 1; i < count; i++) {
        cells.add(text(row.values().get(i)));
        cells.add(number(row.difference(i), "+"));
        cells.add(row.overlaps(i).map(yes -> yes ? "overlap" : "APART").orElse("-"));
      }
      table.add(cells.toArray(String[]::new));
    }
    table.print(out, "");
    comparison.remarks().forEach(remark -> out.println("note: " + PlainText.escape(remark)));
  }

  private static void printJson(Comparison comparison, PrintWriter out)
      throws JsonProcessingException {
    JsonMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode names = root.putArray("files");
    comparison.files().forEach(file -> names.add(file.file().toString()));
    ArrayNode rows = root.putArray("rows");
    for (Comparison.Row row : comparison.rows()) {
      ObjectNode node = rows.addObject();
      node.put("policy", row.cell().policy());
      node.put("load", row.cell().load());
      node.put("measure", row.measure().key());
      ArrayNode values = node.putArray("values");
      for (int i = 0; i < row.values().size(); i++) {
        ObjectNode value = values.addObject();
        Optional<Estimate> estimate = row.values().get(i);
        putFinite(value, "mean", estimate.map(Estimate::mean).orElse(Double.NaN));
        putFinite(value, "low95", estimate.map(Estimate::low).orElse(Double.NaN));
        putFinite(value, "high95", estimate.map(Estimate::high).orElse(Double.NaN));
        if (i > 0) {
          putFinite(value, "difference", row.difference(i));
          row.overlaps(i)
              .ifPresentOrElse(yes -> value.put("overlap", yes), () -> value.putNull("overlap"));
        }
      }
    }
    ArrayNode notes = root.putArray("notes");
    comparison.remarks().forEach(notes::add);
    out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root));
  }

  private static String text(Optional<Estimate> estimate) {
    if (estimate.isEmpty() || !Double.isFinite(estimate.get().mean())) {
      return "-";
    }
    String mean = number(estimate.get().mean(), "");
    return Double.isFinite(estimate.get().halfWidth())
        ? mean + " ±" + number(estimate.get().halfWidth(), "")
        : mean;
  }

  /** Formats a number with three decimals below 10, one below 100, and none from 100 on. */
  private static String number(double value, String sign) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
    return String.format(Locale.ROOT, "%" + sign + "." + decimals + "f", value);
  }
}
