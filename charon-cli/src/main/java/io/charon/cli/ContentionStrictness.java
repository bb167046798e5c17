/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.contention.ContentionTest.Settings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options that set how strict {@code charon contention} is. */
final class ContentionStrictness {
  private static final double PERCENT = 0.01;

  @Option(
      names = "--false-alarms",
      defaultValue = "1",
      paramLabel = "PERCENT",
      description =
          "False alarms allowed: of 100 services that do not suffer, the number that may be "
              + "reported as suffering; 0.01 to 20. Default: ${DEFAULT-VALUE}.")
  private double falseAlarms;

  @Option(
      names = "--least-effect",
      defaultValue = "5",
      paramLabel = "PERCENT",
      description =
          "Smallest effect that matters: a service that suffers less is fine; 0.1 to 1000. "
              + "Default: ${DEFAULT-VALUE}.")
  private double leastEffect;

  @Option(
      names = "--slow-hours",
      defaultValue = "6",
      paramLabel = "HOURS",
      description =
          "Changes that take at least this long, rise and fall together, count as slow and "
              + "are not attributed to best-effort; 0.5 to 1000. At least a 60th of the record: over "
              + "more than 15 days, 6 hours are too short, and the answer names the hours that "
              + "were used. Default: ${DEFAULT-VALUE}.")
  private double slowHours;

  Settings settings(CommandSpec spec) {
    OptionRanges.require(spec, "--false-alarms", falseAlarms, 0.01, 20);
    OptionRanges.require(spec, "--least-effect", leastEffect, 0.1, 1000);
    OptionRanges.require(spec, "--slow-hours", slowHours, 0.5, 1000);
    return new Settings(falseAlarms * PERCENT, leastEffect * PERCENT, slowHours);
  }
}
