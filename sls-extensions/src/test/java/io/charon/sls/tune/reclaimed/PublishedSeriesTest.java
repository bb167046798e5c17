/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.forecast.HighestPredictor;
import io.charon.core.forecast.NSigmaPredictor;
import io.charon.core.forecast.ReservationPercentilePredictor;
import io.charon.core.forecast.TimeOfDayPredictor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the predictors on real series, which are not part of Charon: the system property {@code
 * charon.traces} or the variable {@code CHARON_TRACES} names a directory with {@code bitbrains} and
 * {@code google2011}.
 */
class PublishedSeriesTest {
  @Test
  void onItsTuningTablesTimeOfDayGivesNoLessThanTheMaximumWithNoMoreViolations()
      throws IOException {
    String name = System.getProperty("charon.traces", System.getenv("CHARON_TRACES"));
    if (name == null) {
      System.out.println(
          "PublishedSeriesTest skipped: neither -Dcharon.traces nor CHARON_TRACES names a directory");
    }
    assumeTrue(name != null, "neither -Dcharon.traces nor CHARON_TRACES names a directory");
    List<UsageTable> tables = UsageTable.published().stream().filter(UsageTable::tuning).toList();
    for (UsageTable table : tables) {
      Path file = Path.of(name).resolve(table.file());
      assumeTrue(Files.exists(file), file + " is not there");
    }
    List<TableResult> results =
        new ReclaimedTuning(
                Path.of(name),
                tables,
                List.of(
                    new Candidate(
                        "maximum",
                        () ->
                            new HighestPredictor(
                                new NSigmaPredictor(), new ReservationPercentilePredictor())),
                    new Candidate("time-of-day", TimeOfDayPredictor::new)),
                10,
                6 * 3600)
            .run((what, done) -> {});
    for (TableResult result : results) {
      Score maximum = result.scores().predictors().get("maximum");
      Score ours = result.scores().predictors().get("time-of-day");
      assertThat(ours.violations())
          .as(result.table().name())
          .isLessThanOrEqualTo(maximum.violations());
      // Within a hundredth of a percentage point.
      assertThat(ours.usable())
          .as(result.table().name())
          .isGreaterThanOrEqualTo(maximum.usable() - 0.0001);
      assertThat(ours.usable() - result.scores().allocation().usable()).isGreaterThan(0.1);
    }
  }
}
