/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.replay.Replay;
import io.charon.replay.ReplayResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a node's recording with different settings. */
@Command(
    name = "replay",
    header = "Shows what a node would have done with other settings, from its recording.",
    description = {
      "%nFeeds what a node recorded (yarn.nodemanager.charon.recording.directory) to the "
          + "same local scheduler with other settings. The result lists the containers that "
          + "would have started earlier, later or not at all, and how often no memory would "
          + "have been left. With the recorded settings there is no difference. Kills stay as "
          + "recorded. docs/replay.md describes what a replay can and cannot show.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:replayed", "1:not a recording, or it cannot be read", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon replay /var/lib/charon/recording",
      "  charon replay /var/lib/charon/recording --set scheduler.kills-per-hour=4",
      "  charon replay recording.jsonl.gz --set scheduler.launch-backoff-ms=1000 --json",
    })
final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RECORDING", description = "The directory of a recording, or one file.")
  private Path recording;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Another value for a key scheduler.*, with or without the prefix "
              + "yarn.nodemanager.charon. May be repeated.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Replay replay = OptionRanges.accepted(spec, () -> new Replay(fullKeys()));
    try {
      print(replay.run(Replay.files(recording)));
      return 0;
    } catch (IOException | SettingsException e) {
      spec.commandLine()
          .getErr()
          .println("charon: " + PlainText.escape(String.valueOf(e.getMessage())));
      return 1;
    }
  }

  private Map<String, String> fullKeys() {
    Map<String, String> full = new TreeMap<>();
    changes.forEach(
        (key, value) ->
            full.put(
                key.startsWith(SettingsReader.PREFIX) ? key : SettingsReader.PREFIX + key, value));
    return full;
  }

  private void print(ReplayResult result) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result));
      out.flush();
      return;
    }
    out.printf(
        Locale.ROOT,
        "%.0f s recorded, %d memory readings, %d kills%n",
        result.recording().seconds(),
        result.recording().readings(),
        result.recording().kills());
    if (result.recording().lostLines() > 0) {
      out.printf(
          "%d lines are missing from the recording: differences may be due to that%n",
          result.recording().lostLines());
    }
    TextTable table = new TextTable("", "RECORDED", "REPLAYED");
    row(table, "best-effort containers started", result, ReplayResult.Side::launched);
    row(table, "total wait before start, s", result, ReplayResult.Side::waitSeconds);
    row(table, "readings with no memory left", result, ReplayResult.Side::readingsWithoutMemory);
    row(
        table,
        "memory used by best-effort, GiB s",
        result,
        ReplayResult.Side::bestEffortGibibyteSeconds);
    table.print(out, "  ");
    ReplayResult.Shifts shifts = result.shifts();
    out.printf(
        Locale.ROOT,
        "%d would have started earlier (%.1f s altogether), %d later (%.1f s), %d not before their end%n",
        shifts.earlier(),
        shifts.earlierSeconds(),
        shifts.later(),
        shifts.laterSeconds(),
        shifts.notStarted());
    List<ReplayResult.Difference> differences = shifts.differences();
    if (!differences.isEmpty()) {
      TextTable first = new TextTable("CONTAINER", "STARTED AFTER", "WOULD HAVE");
      differences.forEach(
          one ->
              first.add(
                  PlainText.escape(one.containerId()),
                  seconds(one.recordedSeconds()),
                  seconds(one.replayedSeconds())));
      first.print(out, "  ");
    }
    out.flush();
  }

  private static void row(
      TextTable table,
      String name,
      ReplayResult result,
      Function<ReplayResult.Side, Number> value) {
    table.add(name, number(value.apply(result.recorded())), number(value.apply(result.replayed())));
  }

  private static String number(Number value) {
    return value instanceof Long whole
        ? Long.toString(whole)
        : String.format(Locale.ROOT, "%.1f", value.doubleValue());
  }

  private static String seconds(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.1f s", value);
  }
}
