/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.core.forecast.HighestPredictor;
import io.charon.core.forecast.NSigmaPredictor;
import io.charon.core.forecast.ReservationPercentilePredictor;
import io.charon.core.forecast.TimeOfDayPredictor;
import io.charon.sls.tune.reclaimed.Candidate;
import io.charon.sls.tune.reclaimed.ReclaimedJson;
import io.charon.sls.tune.reclaimed.ReclaimedTuning;
import io.charon.sls.tune.reclaimed.TableResult;
import io.charon.sls.tune.reclaimed.UsageTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon tune reclaimed}: compares what predictors would have granted to best-effort. */
@Command(
    name = "reclaimed",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Replays published usage series through predictors of production's future use, "
          + "side by side. Reports the share of the capacity that best-effort could use, and "
          + "how often production used more than was kept for it. Nothing is changed on "
          + "this machine.",
      "",
      "The directory holds folders such as bitbrains, google2011, alibaba2018, azure2017 "
          + "and smd; missing ones are skipped. Invalid rows and series with gaps are reported "
          + "by file and line.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the tables are printed", "1:the tables cannot be used", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon tune reclaimed --traces traces --json reclaimed.json",
      "  charon tune reclaimed --traces traces --table bitbrains,google2011 --tolerated 0.05,0.1,0.2,0.5",
    })
final class TuneReclaimedCommand implements Callable<Integer> {
  private static final double PERCENT = 0.01;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final int MAX_PER_MACHINE = 1000;
  private static final int MAX_RATES = 20;

  @Spec private CommandSpec spec;

  @Option(
      names = "--traces",
      required = true,
      paramLabel = "DIR",
      description = "Directory that holds the tables.")
  private Path traces;

  @Option(
      names = "--table",
      split = ",",
      paramLabel = "NAME",
      description =
          "Only tables whose names begin with one of these, such as \"bitbrains cpu\" "
              + "or google2011.")
  private List<String> names = List.of();

  @Option(
      names = "--sigma",
      defaultValue = "5",
      paramLabel = "N",
      description =
          "Number of standard deviations of n-sigma (EuroSys'21: 5). Default: ${DEFAULT-VALUE}.")
  private double sigma;

  @Option(
      names = "--percentile",
      defaultValue = "99",
      paramLabel = "P",
      description =
          "Percentile of each container's use over a day (EuroSys'21: 99). Default: "
              + "${DEFAULT-VALUE}.")
  private double percentile;

  @Option(
      names = "--tolerated",
      split = ",",
      defaultValue = "0.1",
      paramLabel = "PERCENT",
      description =
          "Violations per 100 samples that time-of-day is calibrated to; each value gets a "
              + "row. Default: ${DEFAULT-VALUE}.")
  private List<Double> tolerated;

  @Option(
      names = "--per-machine",
      defaultValue = "10",
      paramLabel = "N",
      description =
          "Number of virtual machines of a table that are combined to one machine, in their "
              + "order. Default: ${DEFAULT-VALUE}.")
  private int perMachine;

  @Option(
      names = "--gap-hours",
      defaultValue = "6",
      paramLabel = "H",
      description = "A series with a longer gap is skipped. Default: ${DEFAULT-VALUE}.")
  private double gapHours;

  @Mixin private JsonFileOption json;

  @Override
  public Integer call() throws IOException {
    check();
    WorkloadProgress progress = new WorkloadProgress(spec.commandLine().getErr());
    List<TableResult> results =
        new ReclaimedTuning(traces, tables(), candidates(), perMachine, gapHours * SECONDS_PER_HOUR)
            .run(progress);
    new TuneReclaimedPrinter(spec.commandLine().getOut()).print(results, progress.seconds());
    if (json.file().isPresent()) {
      new ReclaimedJson().write(results, json.file().get());
    }
    return 0;
  }

  private List<UsageTable> tables() {
    List<UsageTable> all = UsageTable.published();
    List<UsageTable> chosen =
        names.isEmpty()
            ? all
            : all.stream()
                .filter(table -> names.stream().anyMatch(table.name()::startsWith))
                .toList();
    if (chosen.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--table: no table's name begins with %s; the tables are %s"
              .formatted(names, all.stream().map(UsageTable::name).toList()));
    }
    return chosen;
  }

  private List<Candidate> candidates() {
    double share = percentile * PERCENT;
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(
        new Candidate("n-sigma", () -> new NSigmaPredictor(sigma, NSigmaPredictor.SAMPLES)));
    candidates.add(new Candidate("percentile", () -> new ReservationPercentilePredictor(share)));
    candidates.add(
        new Candidate(
            "maximum",
            () ->
                new HighestPredictor(
                    new NSigmaPredictor(sigma, NSigmaPredictor.SAMPLES),
                    new ReservationPercentilePredictor(share))));
    for (double percent : tolerated) {
      candidates.add(
          new Candidate(
              String.format(Locale.ROOT, "time-of-day, %s %%", percent),
              () -> new TimeOfDayPredictor(percent * PERCENT)));
    }
    return candidates;
  }

  private void check() {
    OptionRanges.require(spec, "--sigma", sigma, 0, 1000);
    OptionRanges.require(spec, "--percentile", percentile, 1, 100);
    OptionRanges.require(spec, "number of --tolerated", tolerated.size(), 1, MAX_RATES);
    tolerated.forEach(percent -> OptionRanges.require(spec, "--tolerated", percent, 0.001, 50));
    OptionRanges.require(spec, "--per-machine", perMachine, 1, MAX_PER_MACHINE);
    OptionRanges.require(spec, "--gap-hours", gapHours, 0.1, 1000);
  }
}
