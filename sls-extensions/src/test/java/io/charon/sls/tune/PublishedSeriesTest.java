/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs the analysis on real series, which are not part of Charon: the system property {@code
 * charon.traces} or the variable {@code CHARON_TRACES} names a directory with {@code alibaba2018}
 * and {@code net}.
 */
class PublishedSeriesTest {
  private Path traces;

  @BeforeEach
  void findTraces() {
    String name = System.getProperty("charon.traces", System.getenv("CHARON_TRACES"));
    if (name == null) {
      System.out.println(
          "PublishedSeriesTest skipped: neither -Dcharon.traces nor CHARON_TRACES names a directory");
    }
    assumeTrue(name != null, "neither -Dcharon.traces nor CHARON_TRACES names a directory");
    traces = Path.of(name);
  }

  private static TuneResult run(
      TunedRegulator regulator,
      Path file,
      OptionalDouble interval,
      Optional<String> value,
      List<Double> windows)
      throws IOException {
    assumeTrue(Files.exists(file), file + " is not there");
    return new Sensitivity(
            new TuneRequest(
                regulator,
                List.of(file),
                new TableFormat(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    interval,
                    value,
                    Optional.of("100"),
                    false,
                    false),
                windows,
                List.of(1.0, 2.0, 3.0),
                30,
                100,
                false),
            (what, done) -> {})
        .run();
  }

  private static void followsThePapersTrend(TuneResult result) {
    for (int cell = 1; cell < result.grid().size(); cell++) {
      CellResult less = result.grid().get(cell - 1);
      CellResult more = result.grid().get(cell);
      if (less.windowSeconds() == more.windowSeconds()) {
        assertThat(more.totalViolations()).isLessThan(less.totalViolations());
        assertThat(more.backgroundAfforded()).isLessThan(less.backgroundAfforded());
      }
    }
  }

  @Test
  void memoryOfAWholeClusterTenSecondsApart() throws IOException {
    TuneResult result =
        run(
            TunedRegulator.MEMORY,
            traces.resolve("alibaba2018/cluster_mean_10s_8d.csv.gz"),
            OptionalDouble.of(10),
            Optional.empty(),
            List.of(30.0, 60.0, 300.0));
    assertThat(result.series().samples().all()).isEqualTo(67_242);
    assertThat(result.badRows().count()).isZero();
    assertThat(result.refusedWindows())
        .extracting(RefusedWindow::windowSeconds)
        .containsExactly(30.0);
    followsThePapersTrend(result);
  }

  @Test
  void trafficOfSwitchPortsHalfASecondApart() throws IOException {
    TuneResult result =
        run(
            TunedRegulator.NETWORK,
            traces.resolve("net/zhejianglab_leaf_ports_0.5s_1h.csv.gz"),
            OptionalDouble.empty(),
            Optional.of("OutRatio"),
            List.of(15.0, 30.0, 120.0));
    assertThat(result.series().replayed()).isEqualTo(16);
    assertThat(result.badRows().count()).isZero();
    followsThePapersTrend(result);
  }
}
