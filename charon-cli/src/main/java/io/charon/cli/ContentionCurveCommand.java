/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.contention.ContentionJson;
import io.charon.sls.contention.ContentionTest.Settings;
import io.charon.sls.contention.PowerCurve;
import io.charon.sls.contention.SyntheticService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon contention curve}: measures the accuracy of its verdicts on simulated services with
 * a known effect.
 */
@Command(
    name = "curve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates services whose slowdown is known, judges each as charon contention "
          + "does, and counts how often the answer is right: the share of slowdowns that it "
          + "finds (recall) by true effect, and its false alarms where there is no effect. The "
          + "intervals are 30 s; the load has a daily cycle, best-effort follows the idle "
          + "processors, and the noise persists from interval to interval. The numbers are the "
          + "same on every machine.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the table is printed", "1:the file cannot be written", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon contention curve",
      "  charon contention curve --effects 0,5 --noise-minutes 1,5,30 --draws 1000 --json curve.json",
    })
final class ContentionCurveCommand implements Callable<Integer> {
  private static final double PERCENT = 0.01;
  private static final int MAX_POINTS = 500;

  @Spec private CommandSpec spec;

  @Mixin private ContentionStrictness strictness;

  @Option(
      names = "--effects",
      split = ",",
      defaultValue = "0,1,2,3,5,8",
      paramLabel = "PERCENT",
      description = "True effects, 0 to 1000. Default: ${DEFAULT-VALUE}.")
  private List<Double> effects;

  @Option(
      names = "--days",
      split = ",",
      defaultValue = "1",
      paramLabel = "DAYS",
      description = "Length of the recording, 0.2 to 14. Default: ${DEFAULT-VALUE}.")
  private List<Double> days;

  @Option(
      names = "--noise",
      split = ",",
      defaultValue = "10",
      paramLabel = "PERCENT",
      description =
          "Standard deviation of the noise, percent of the value, 0 to 100. Default: ${DEFAULT-VALUE}.")
  private List<Double> noises;

  @Option(
      names = "--noise-minutes",
      split = ",",
      defaultValue = "5",
      paramLabel = "MINUTES",
      description =
          "Time after which 37 %% of the noise remains, 0.01 to 1440. Default: ${DEFAULT-VALUE}.")
  private List<Double> noiseMinutes;

  @Option(
      names = "--job-minutes",
      split = ",",
      defaultValue = "15",
      paramLabel = "MINUTES",
      description =
          "The same for best-effort's use: the time scale on which its jobs come and go, "
              + "0.01 to 1440. Default: ${DEFAULT-VALUE}.")
  private List<Double> jobMinutes;

  @Option(
      names = "--draws",
      defaultValue = "200",
      paramLabel = "N",
      description = "Services of each kind, 10 to 100000. Default: ${DEFAULT-VALUE}.")
  private int draws;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    check();
    Settings settings = strictness.settings(spec);
    WorkloadProgress progress = new WorkloadProgress(spec.commandLine().getErr());
    List<PowerCurve.Point> points =
        new PowerCurve(settings).of(truths(), draws, done -> progress.at("services", done));
    new ContentionPrinter(spec.commandLine().getOut()).curve(settings, points, progress.seconds());
    if (json == null) {
      return 0;
    }
    new ContentionJson().writeCurve(settings, points, json);
    return 0;
  }

  private List<SyntheticService> truths() {
    List<SyntheticService> truths = new ArrayList<>();
    for (double day : days) {
      for (double noise : noises) {
        for (double lasts : noiseMinutes) {
          for (double job : jobMinutes) {
            for (double effect : effects) {
              truths.add(new SyntheticService(effect * PERCENT, day, noise * PERCENT, lasts, job));
            }
          }
        }
      }
    }
    return truths;
  }

  private void check() {
    effects.forEach(effect -> OptionRanges.require(spec, "--effects", effect, 0, 1000));
    days.forEach(day -> OptionRanges.require(spec, "--days", day, 0.2, 14));
    noises.forEach(noise -> OptionRanges.require(spec, "--noise", noise, 0, 100));
    noiseMinutes.forEach(lasts -> OptionRanges.require(spec, "--noise-minutes", lasts, 0.01, 1440));
    jobMinutes.forEach(lasts -> OptionRanges.require(spec, "--job-minutes", lasts, 0.01, 1440));
    OptionRanges.require(spec, "--draws", draws, 10, 100_000);
    OptionRanges.require(
        spec,
        "number of points, effects times days times noise and minutes,",
        effects.size() * days.size() * noises.size() * noiseMinutes.size() * jobMinutes.size(),
        1,
        MAX_POINTS);
  }
}
