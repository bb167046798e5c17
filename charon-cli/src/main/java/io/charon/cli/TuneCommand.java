/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.tune.HeatMaps;
import io.charon.sls.tune.Sensitivity;
import io.charon.sls.tune.TableFormat;
import io.charon.sls.tune.TimeUnitOfTable;
import io.charon.sls.tune.TuneJson;
import io.charon.sls.tune.TuneRequest;
import io.charon.sls.tune.TuneResult;
import io.charon.sls.tune.TunedRegulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon tune}: finds the window and the std-factor that suit recorded usage. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = TuneReclaimedCommand.class,
    description = {
      "Replays recorded usage of the foreground through a regulator, over a grid of "
          + "windows and std-factors. Reports how often the foreground needed more than was "
          + "reserved for it, and how much of the capacity best-effort could have used. "
          + "Recommends the grid cell that gives best-effort the most within a budget of "
          + "violations. Nothing is changed on this machine.",
      "",
      "Tables are CSV, plain or .gz. The first line names the columns; each further row "
          + "is a sample with at least a time and a value, and the name of a series if a file "
          + "holds several. Commas within fields are not supported. The files are read twice.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the grid is filled, even if no cell stays within the budget",
      "1:the tables cannot be used",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon tune --trace machine_usage.csv.gz --out pictures --json tune.json",
      "  charon tune --trace vms.csv --value mem_used_mb --capacity mem_prov_mb",
      "  charon tune --regulator network --trace ports.csv.gz --value OutRatio --capacity 100 --windows 5,15,30,60",
      "  charon tune --regulator network --trace eth0.csv --value tx_bytes --counter --capacity 125000000",
    })
final class TuneCommand implements Callable<Integer> {
  private static final double LONGEST_WINDOW_SECONDS = 31 * 86_400.0;
  private static final double LARGEST_FACTOR = 1000;
  private static final int MAX_CELLS = 1000;
  private static final int MIN_SAMPLES = 2;
  private static final int MAX_SAMPLES = 1_000_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--trace",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Tables of usage; required. A series may continue from one file to the next.")
  private List<Path> files = List.of();

  @Option(
      names = "--regulator",
      defaultValue = "memory",
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private TunedRegulator regulator;

  @Option(
      names = "--windows",
      split = ",",
      defaultValue = "15,30,60,120,300,600,1800,3600",
      paramLabel = "SECONDS",
      description =
          "Windows of the grid. A window shorter than 5 samples of a series, or longer than "
              + "half a series, is refused. Default: ${DEFAULT-VALUE}.")
  private List<Double> windows;

  @Option(
      names = "--std-factors",
      split = ",",
      defaultValue = "0.5,1,1.5,2,2.5,3",
      paramLabel = "C",
      description = "Std-factors of the grid. Default: ${DEFAULT-VALUE}.")
  private List<Double> stdFactors;

  @Option(
      names = "--budget",
      defaultValue = "30",
      paramLabel = "N",
      description =
          "Violations allowed for the worst series (Scavenger, section 6.1, in 8 days). "
              + "Default: ${DEFAULT-VALUE}.")
  private int budget;

  @Option(
      names = "--series",
      paramLabel = "COLUMN",
      description =
          "Column that tells the series of a file apart. Default: by name (machine_id, vm, "
              + "pod, port, ...); without such a column a file is one series.")
  private String series;

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description =
          "Column with the time: a number, or a date such as 2004-11-19 09:30:00. Default: "
              + "by name (time, time_s, t_ms, ...).")
  private String time;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description =
          "Unit of the time: one of ${COMPLETION-CANDIDATES}. Default: by the end of the "
              + "column's name (_ms, minute, ...), otherwise s.")
  private TimeUnitOfTable timeUnit;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "For tables without a time: the interval between the rows of a series.")
  private Double interval;

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description =
          "Column with the usage of the foreground. Default: by name (mem_util_percent, "
              + "mem_used_mb, net_out, value, ...).")
  private String value;

  @Option(names = "--wide", description = "Every column except the time is a series.")
  private boolean wide;

  @Option(
      names = "--counter",
      description =
          "The values are counters, such as the bytes of an interface: their rate per second "
              + "is the usage.")
  private boolean counter;

  @Option(
      names = "--capacity",
      paramLabel = "CAPACITY",
      description =
          "The total capacity: a number in the unit of the values, a column, or peak: the "
              + "highest value of each series. Default: 100 if the name of the value ends in "
              + "percent or pct.")
  private String capacity;

  @Option(
      names = "--min-samples",
      defaultValue = "100",
      paramLabel = "N",
      description = "Series of fewer samples are left out. Default: ${DEFAULT-VALUE}.")
  private int leastSamples;

  @Option(
      names = "--strict",
      description = "Stop at the first bad row instead of leaving bad rows out.")
  private boolean strict;

  @Mixin private JsonFileOption json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write the heat maps tune-violations.png and tune-background.png into this directory.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    check();
    WorkloadProgress progress = new WorkloadProgress(spec.commandLine().getErr());
    TuneResult result = new Sensitivity(request(), progress).run();
    new TunePrinter(spec.commandLine().getOut()).print(result, progress.seconds());
    if (json.file().isPresent()) {
      new TuneJson().write(result, json.file().get());
    }
    if (out != null) {
      HeatMaps.write(result, out);
    }
    return 0;
  }

  private TuneRequest request() {
    return new TuneRequest(
        regulator,
        files,
        new TableFormat(
            Optional.ofNullable(series),
            Optional.ofNullable(time),
            Optional.ofNullable(timeUnit),
            interval == null ? OptionalDouble.empty() : OptionalDouble.of(interval),
            Optional.ofNullable(value),
            Optional.ofNullable(capacity),
            wide,
            counter),
        windows,
        stdFactors,
        budget,
        leastSamples,
        strict);
  }

  private void check() {
    // Not declared as required, because picocli would then require it for the subcommand, too.
    refuse(files.isEmpty(), "Missing required option: '--trace FILE [FILE...]'");
    windows.forEach(
        window -> OptionRanges.require(spec, "--windows", window, 0.001, LONGEST_WINDOW_SECONDS));
    stdFactors.forEach(
        factor -> OptionRanges.require(spec, "--std-factors", factor, 0, LARGEST_FACTOR));
    OptionRanges.require(
        spec, "--windows times --std-factors", windows.size() * stdFactors.size(), 1, MAX_CELLS);
    OptionRanges.require(spec, "--budget", budget, 0, Integer.MAX_VALUE);
    OptionRanges.require(spec, "--min-samples", leastSamples, MIN_SAMPLES, MAX_SAMPLES);
    if (interval != null) {
      OptionRanges.require(spec, "--interval", interval, 0.001, LONGEST_WINDOW_SECONDS);
      refuse(time != null, "--interval is for tables without a time column: omit --time");
    }
    refuse(wide && series != null, "with --wide the columns are the series: omit --series");
    refuse(wide && value != null, "with --wide all columns are values: omit --value");
  }

  private void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
