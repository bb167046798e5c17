/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.cli.PlainText;
import io.charon.cli.TextTable;
import io.charon.evaluation.validation.ComparedNumber;
import io.charon.evaluation.validation.ComparisonJson;
import io.charon.evaluation.validation.DemoDocument;
import io.charon.evaluation.validation.SimulationComparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon sls validate}: compares the simulator with measurements of the demo on a real
 * cluster.
 */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates the jobs of a charon demo on the demo's cluster, in every mode that the "
          + "demo ran, and prints measured and simulated results side by side.",
      "",
      "The inputs of the simulation are the measurements of production alone and of one "
          + "best-effort job of each kind alone, and the submission times of the jobs. All "
          + "results under best-effort load are predicted.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:compared", "1:the demo's result cannot be used", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon demo --workload cpu --calibrate --json demo.json",
      "  charon sls validate --demo demo.json",
      "  charon sls validate --demo demo.json --seeds 20 --json validation.json",
    })
final class SlsValidateCommand implements Callable<Integer> {
  private static final int MAX_SEEDS = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--demo",
      required = true,
      paramLabel = "FILE",
      description = "Result file of charon demo --workload cpu --calibrate --json FILE.")
  private Path demo;

  @Option(
      names = "--seeds",
      defaultValue = "10",
      paramLabel = "K",
      description = "Simulate with seeds 1 to K, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the comparison as JSON.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    OptionRanges.require(spec, "--seeds", seeds, 1, MAX_SEEDS);
    SimulationComparison comparison = SimulationComparison.of(DemoDocument.read(demo), seeds);
    print(comparison, spec.commandLine().getOut());
    if (json != null) {
      new ComparisonJson().write(comparison, json);
    }
    return 0;
  }

  private static void print(SimulationComparison comparison, PrintWriter out) {
    TextTable table =
        new TextTable("mode", "", "measured", "simulated", "least", "most", "difference");
    comparison
        .modes()
        .forEach((mode, numbers) -> numbers.forEach(number -> add(table, mode, number)));
    table.print(out, "");
    out.println();
    out.println("(given): the simulation was calibrated with this number and does not predict it.");
    out.flush();
  }

  private static void add(TextTable table, String mode, ComparedNumber number) {
    table.add(
        PlainText.escape(mode),
        number.name(),
        cell(number.measured(), number.unit()),
        cell(number.mean(), number.unit()),
        cell(number.min(), number.unit()),
        cell(number.max(), number.unit()),
        difference(number));
  }

  private static String difference(ComparedNumber number) {
    OptionalDouble percent = number.differencePercent();
    String text =
        percent.isPresent() ? String.format(Locale.ROOT, "%+.1f %%", percent.getAsDouble()) : "-";
    return number.calibrated() ? text + " (given)" : text;
  }

  private static String cell(OptionalDouble value, String unit) {
    if (value.isEmpty()) {
      return "-";
    }
    String pattern = unit.isEmpty() && value.getAsDouble() < 2 ? "%.3f" : "%.1f";
    return (String.format(Locale.ROOT, pattern, value.getAsDouble()) + " " + unit).trim();
  }
}
