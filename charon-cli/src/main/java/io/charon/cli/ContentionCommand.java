/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.replay.RecordedIntervals;
import io.charon.replay.RecordedIntervals.Value;
import io.charon.replay.Replay;
import io.charon.sls.contention.ContentionJson;
import io.charon.sls.contention.ContentionTest;
import io.charon.sls.contention.Interval;
import io.charon.sls.contention.IntervalColumns;
import io.charon.sls.contention.IntervalTables;
import io.charon.sls.contention.Verdict;
import io.charon.sls.trace.BadRows;
import io.charon.sls.tune.TimeUnitOfTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon contention}: tests, from recorded samples, whether production suffers from
 * best-effort.
 */
@Command(
    name = "contention",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = ContentionCurveCommand.class,
    description = {
      "Reports whether best-effort makes production slower, from a recording of a day or "
          + "longer: at equal load, is production's value (cycles per instruction, or any "
          + "value that rises when production suffers) higher while best-effort uses a lot of "
          + "the machine than while it uses little? The answer is suffers, fine or unknown, "
          + "with the size of the effect and its range. Nothing is changed on this machine.",
      "",
      "Noise that persists from one interval to the next is modelled and removed, so "
          + "that one bad hour does not count as a hundred independent observations. Changes "
          + "slower than --slow-hours are not attributed to best-effort. An influence that "
          + "rises together with best-effort and is in no column may be mistaken for it: "
          + "docs/contention.md explains how to rule this out.",
      "",
      "The input is what a node recorded in mode enforce (recording.directory, "
          + "regulator.cpu.mode observe), or your own tables in CSV, plain or .gz. A table's "
          + "first line names the columns; each further row is an interval of a fixed length "
          + "(30 s works well) with its time, the value, the service's load, and best-effort's "
          + "use of the machine.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:each service has an answer, whatever it is",
      "1:the files cannot be used",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon contention --samples /var/lib/charon/recording",
      "  charon contention --samples intervals.csv --value p99_ms --load qps --best-effort offline_cores",
      "  charon contention --samples monday.csv.gz --samples tuesday.csv.gz --service app --json verdicts.json",
      "  charon contention curve            how small an effect a day of intervals shows",
    })
final class ContentionCommand implements Callable<Integer> {
  private static final int LISTED = 5;

  @Spec private CommandSpec spec;

  @Mixin private ContentionStrictness strictness;

  @Option(
      names = "--samples",
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "Directories or files (.jsonl.gz) of recordings of one node, or tables; required. "
              + "Recordings and tables cannot be mixed.")
  private List<Path> samples = List.of();

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description =
          "The value that may suffer; higher is worse. Default: by name (cpi, p99_ms, "
              + "batch_seconds, value, ...). For a recording: cpi, or pressure where instructions "
              + "are not counted.")
  private String value;

  @Option(
      names = "--load",
      paramLabel = "COLUMN",
      description =
          "The load of the service; it rises with the work that the service does. Default: "
              + "by name (load, production_cores, qps, cycles, ...).")
  private String load;

  @Option(
      names = "--best-effort",
      paramLabel = "COLUMN",
      description =
          "The amount that best-effort uses, in any unit. Default: by name (best_effort, "
              + "best_effort_cores, offline, ...).")
  private String bestEffort;

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description =
          "Column with the time: a number, or a date. Default: by name (time, time_s, "
              + "timestamp, ...).")
  private String time;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description =
          "Unit of the time: one of ${COMPLETION-CANDIDATES}. Default: by the end of the "
              + "column's name (_ms, minute, ...), otherwise s.")
  private TimeUnitOfTable timeUnit;

  @Option(
      names = "--service",
      paramLabel = "COLUMN",
      description =
          "Column that tells services apart; each service gets an answer. Default: all rows "
              + "belong to one service.")
  private String service;

  @Option(
      names = "--strict",
      description = "Stop at the first bad row instead of leaving bad rows out.")
  private boolean strict;

  @Mixin private JsonFileOption json;

  @Override
  public Integer call() throws IOException {
    // Not declared as required, because picocli would then require it for the subcommand, too.
    refuse(samples.isEmpty(), "Missing required option: '--samples PATH [PATH...]'");
    ContentionTest.Settings settings = strictness.settings(spec);
    BadRows bad = new BadRows(strict);
    ContentionPrinter printer = new ContentionPrinter(spec.commandLine().getOut());
    Map<String, List<Interval>> services = read(bad);
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    ContentionTest test = new ContentionTest(settings);
    services.forEach((name, intervals) -> verdicts.put(name, test.judge(intervals)));
    printer.verdicts(settings, verdicts, bad, LISTED);
    if (json.file().isPresent()) {
      new ContentionJson().writeVerdicts(settings, verdicts, json.file().get());
    }
    return 0;
  }

  private Map<String, List<Interval>> read(BadRows bad) throws IOException {
    long recordings = samples.stream().filter(ContentionCommand::isRecording).count();
    refuse(
        recordings > 0 && recordings < samples.size(),
        "--samples: recordings and tables cannot be mixed; run the command once for each kind");
    return recordings > 0 ? recorded() : tables(bad);
  }

  private static boolean isRecording(Path path) {
    return Files.isDirectory(path) || path.toString().endsWith(".jsonl.gz");
  }

  private Map<String, List<Interval>> recorded() throws IOException {
    refuse(
        load != null || bestEffort != null || time != null || service != null,
        "--load, --best-effort, --time and --service apply to tables: a recording "
            + "has no columns");
    RecordedIntervals recorded = new RecordedIntervals();
    for (Path path : samples) {
      for (Path file : Replay.files(path)) {
        recorded.read(file);
      }
    }
    Value chosen =
        value == null
            ? (recorded.has(Value.CPI) ? Value.CPI : Value.PRESSURE)
            : List.of(Value.values()).stream()
                .filter(known -> known.text().equals(value))
                .findFirst()
                .orElseThrow(
                    () ->
                        new ParameterException(
                            spec.commandLine(),
                            "--value of a recording must be cpi or pressure, was '%s'"
                                .formatted(value)));
    if (!recorded.has(chosen)) {
      throw new IOException(
          "%s: no interval has a value for %s; a node records it in mode enforce (or with cgroup.every-mode.enabled), if regulator.cpu.mode is observe or"
                  .formatted(samples.get(0), chosen.text())
              + " enforce and its regulator.cpu.signal is "
              + (chosen == Value.CPI ? "instructions" : "pressure")
              + " (bin/charon status shows which one it is)");
    }
    return Map.of("production, " + chosen.text(), recorded.of(chosen));
  }

  private Map<String, List<Interval>> tables(BadRows bad) throws IOException {
    IntervalTables tables =
        new IntervalTables(
            new IntervalColumns(
                Optional.ofNullable(time),
                Optional.ofNullable(timeUnit),
                Optional.ofNullable(value),
                Optional.ofNullable(load),
                Optional.ofNullable(bestEffort),
                Optional.ofNullable(service)),
            bad);
    for (Path file : samples) {
      tables.read(file);
    }
    if (tables.services().isEmpty()) {
      throw new IOException(
          "%s: no row can be used%s"
              .formatted(
                  samples.get(0), bad.first().isEmpty() ? "" : ", such as " + bad.first().get(0)));
    }
    return tables.services();
  }

  private void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
