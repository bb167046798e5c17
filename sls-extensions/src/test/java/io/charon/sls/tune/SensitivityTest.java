/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the analysis on series that are computed by hand or generated. */
class SensitivityTest {
  private static final TableFormat BY_NAMES = format(Optional.empty(), false, false);

  @TempDir private Path directory;

  private static TableFormat format(Optional<String> capacity, boolean wide, boolean counter) {
    return new TableFormat(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        capacity,
        wide,
        counter);
  }

  private Path table(String name, List<String> lines) throws IOException {
    return Files.write(directory.resolve(name), lines);
  }

  private static TuneRequest request(Path file, TableFormat format, List<Double> windows) {
    return new TuneRequest(
        TunedRegulator.MEMORY, List.of(file), format, windows, List.of(0.0, 2.0), 30, 2, false);
  }

  private static TuneResult run(TuneRequest request) throws IOException {
    return new Sensitivity(request, (what, done) -> {}).run();
  }

  private static CellResult cell(TuneResult result, double window, double stdFactor) {
    return result.grid().stream()
        .filter(c -> c.windowSeconds() == window && c.stdFactor() == stdFactor)
        .findFirst()
        .orElseThrow();
  }

  /**
   * One value per second: an opening sample, a window of five, then five samples that are judged.
   */
  private static List<String> handMade() {
    List<String> lines = new ArrayList<>(List.of("machine,time_s,mem_util_percent"));
    int[] values = {50, 8, 9, 10, 11, 12, 10, 14, 14, 20, 13};
    for (int second = 0; second < values.length; second++) {
      lines.add("m1," + second + "," + values[second]);
    }
    return lines;
  }

  @Test
  void violationsAndTheMeanLimitAreThoseThatWereComputedByHand() throws IOException {
    TuneResult result = run(request(table("t.csv", handMade()), BY_NAMES, List.of(5.0)));
    // c = 0: the reserve is 10 (two samples), then 14 (two), then 20 (two); before that best-effort
    // may use nothing.
    CellResult bare = cell(result, 5, 0);
    assertThat(bare.maxViolations()).isEqualTo(2);
    assertThat(bare.backgroundAfforded())
        .isCloseTo((2 * 0.90 + 2 * 0.86 + 2 * 0.80) / 11, within(1e-12));
    // 14 was 4 above the reserve, 20 was 6 above it.
    assertThat(bare.meanExcess()).isCloseTo(0.05, within(1e-12));
    assertThat(bare.largestExcess()).isCloseTo(0.06, within(1e-12));
    // c = 2: 3.16 is reserved above the mean of 10; 14 and 20 are above 13.16 and move the mean.
    double headroom = 2 * Math.sqrt(2.5) / 100;
    CellResult two = cell(result, 5, 2);
    assertThat(two.totalViolations()).isEqualTo(2);
    assertThat(two.worstSeries()).isEqualTo("m1");
    assertThat(two.backgroundAfforded())
        .isCloseTo((2 * 0.90 + 2 * 0.86 + 2 * 0.80 - 6 * headroom) / 11, within(1e-12));
    assertThat(result.samplesPerWindow()).containsEntry(5.0, 5.0);
    assertThat(result.columns())
        .isEqualTo("mem_util_percent by machine over time_s (s), capacity 100");
  }

  @Test
  void theMaximumIsOfOneSeriesTheTotalOfAllAndTheMeanOverSeries() throws IOException {
    List<String> lines = handMade();
    for (int second = 0; second <= 10; second++) {
      lines.add("m2," + second + ",40");
    }
    TuneResult result = run(request(table("t.csv", lines), BY_NAMES, List.of(5.0)));
    CellResult bare = cell(result, 5, 0);
    assertThat(bare.maxViolations()).isEqualTo(2);
    assertThat(bare.totalViolations()).isEqualTo(2);
    double first = (2 * 0.90 + 2 * 0.86 + 2 * 0.80) / 11;
    double second = 6 * 0.60 / 11;
    assertThat(bare.backgroundAfforded()).isCloseTo((first + second) / 2, within(1e-12));
    assertThat(result.series().replayed()).isEqualTo(2);
    assertThat(result.series().meanUsed()).isCloseTo((171.0 / 1100 + 0.40) / 2, within(1e-12));
    assertThat(result.series().peakUsed()).isEqualTo(0.5);
  }

  @Test
  void compressedAndPlainTablesAndSeriesThatInterleaveGiveTheSame() throws IOException {
    Random random = new Random(1);
    List<String> interleaved = new ArrayList<>(List.of("vm,t_ms,mem_util_percent"));
    List<String> first = new ArrayList<>(interleaved);
    List<String> second = new ArrayList<>(List.of("vm,t_ms,mem_util_percent"));
    for (int sample = 0; sample < 500; sample++) {
      for (int vm = 0; vm < 2; vm++) {
        String row =
            "v%d,%d,%.2f".formatted(vm, sample * 1000, 50 + 10 * vm + 5 * random.nextGaussian());
        interleaved.add(row);
        (vm == 0 ? first : second).add(row);
      }
    }
    Path compressed = directory.resolve("t.csv.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write((String.join("\n", first) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    TuneRequest together = request(table("t.csv", interleaved), BY_NAMES, List.of(10.0, 60.0));
    TuneRequest apart =
        new TuneRequest(
            together.regulator(),
            List.of(compressed, table("second.csv", second)),
            BY_NAMES,
            together.windows(),
            together.stdFactors(),
            30,
            2,
            false);
    assertThat(run(apart).grid()).isEqualTo(run(together).grid());
    assertThat(cell(run(together), 10, 0).totalViolations()).isPositive();
  }

  /** The trends of the paper's figure 6. */
  @Test
  void lessHeadroomAndShorterWindowsMeanMoreViolations() throws IOException {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>(List.of("time,mem_util_percent"));
    for (int second = 0; second < 40_000; second++) {
      double level = 50 + 15 * Math.sin(second / 3000.0);
      lines.add(second + "," + (level + 2 * random.nextGaussian()));
    }
    TuneResult result =
        run(
            new TuneRequest(
                TunedRegulator.MEMORY,
                List.of(table("wave.csv", lines)),
                BY_NAMES,
                List.of(5.0, 60.0),
                List.of(0.5, 1.0, 2.0, 3.0),
                30,
                2,
                false));
    for (double window : new double[] {5, 60}) {
      for (double stdFactor : new double[] {0.5, 1}) {
        assertThat(cell(result, window, 2 * stdFactor).totalViolations())
            .isLessThan(cell(result, window, stdFactor).totalViolations());
        assertThat(cell(result, window, 2 * stdFactor).backgroundAfforded())
            .isLessThan(cell(result, window, stdFactor).backgroundAfforded());
      }
    }
    assertThat(cell(result, 60, 2).totalViolations())
        .isLessThan(cell(result, 5, 2).totalViolations());
    CellResult recommended = result.recommended().orElseThrow();
    assertThat(recommended.maxViolations()).isLessThanOrEqualTo(30);
    assertThat(result.grid())
        .filteredOn(c -> c.backgroundAfforded() > recommended.backgroundAfforded())
        .allSatisfy(c -> assertThat(c.maxViolations()).isGreaterThan(30));
    assertThat(result.ofThePaper()).contains(cell(result, 60, 2));
  }

  @Test
  void withoutACellInTheBudgetNothingIsRecommended() throws IOException {
    TuneRequest request = request(table("t.csv", handMade()), BY_NAMES, List.of(5.0));
    TuneResult result =
        run(
            new TuneRequest(
                request.regulator(),
                request.files(),
                request.format(),
                request.windows(),
                request.stdFactors(),
                1,
                2,
                false));
    assertThat(result.recommended()).isEmpty();
  }

  @Test
  void windowsThatDoNotSuitTheSeriesAreRefusedWithTheReason() throws IOException {
    TuneResult result = run(request(table("t.csv", handMade()), BY_NAMES, List.of(4.0, 5.0, 6.0)));
    assertThat(result.refusedWindows())
        .containsExactly(
            new RefusedWindow(4, "shorter than 5 samples of series m1, which are 1.000 s apart"),
            new RefusedWindow(6, "more than half of series m1, which lasts 10.00 s"));
    assertThat(result.grid()).hasSize(2);
    Path table = directory.resolve("t.csv");
    assertThatThrownBy(() -> run(request(table, BY_NAMES, List.of(3.0, 4.0))))
        .hasMessageContaining("no window is left: 3 s, 4 s refused: shorter than 5 samples")
        .hasMessageContaining("--windows");
  }

  @Test
  void aCapacityCanBeANumberAColumnOrThePeak() throws IOException {
    Path table =
        table(
            "t.csv",
            handMade().stream()
                .map(line -> line + (line.startsWith("machine") ? ",size" : ",200"))
                .toList());
    TableFormat column = format(Optional.of("size"), false, false);
    TableFormat number = format(Optional.of("200"), false, false);
    TableFormat peak = format(Optional.of("peak"), false, false);
    List<Double> windows = List.of(5.0);
    assertThat(run(request(table, column, windows)).grid())
        .isEqualTo(run(request(table, number, windows)).grid());
    TuneResult ofPeak = run(request(table, peak, windows));
    assertThat(cell(ofPeak, 5, 0).backgroundAfforded())
        .isCloseTo((2 * 0.80 + 2 * 0.72 + 2 * 0.60) / 11, within(1e-12));
    assertThat(ofPeak.series().meanUsed()).isCloseTo(171.0 / 550, within(1e-12));
  }

  @Test
  void everyColumnCanBeASeriesAndTimeCanBeAnInterval() throws IOException {
    List<String> lines = new ArrayList<>(List.of("a,b"));
    for (String row : handMade().subList(1, handMade().size())) {
      lines.add(row.substring(row.lastIndexOf(',') + 1) + ",40");
    }
    TableFormat wide =
        new TableFormat(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(10),
            Optional.empty(),
            Optional.of("100"),
            true,
            false);
    TuneResult result = run(request(table("wide.csv", lines), wide, List.of(50.0)));
    assertThat(result.series().replayed()).isEqualTo(2);
    assertThat(cell(result, 50, 0).worstSeries()).isEqualTo("a");
    assertThat(cell(result, 50, 0).totalViolations()).isEqualTo(2);
  }

  @Test
  void countersAreReplayedByTheirRateAndAResetIsAMissingSample() throws IOException {
    List<String> lines = new ArrayList<>(List.of("time,tx_bytes"));
    long count = 1000;
    for (int second = 0; second <= 20; second++) {
      count = second == 12 ? 5 : count + 100;
      lines.add(second + "," + count);
    }
    TuneRequest request =
        request(table("eth0.csv", lines), format(Optional.of("1000"), false, true), List.of(5.0));
    TuneResult result =
        run(
            new TuneRequest(
                TunedRegulator.NETWORK,
                request.files(),
                request.format(),
                request.windows(),
                request.stdFactors(),
                30,
                2,
                false));
    // The first reading and the one after the reset have no rate.
    assertThat(result.series().samples().missing()).isEqualTo(2);
    assertThat(result.series().peakUsed()).isEqualTo(0.1);
    assertThat(cell(result, 5, 2).totalViolations()).isZero();
    assertThat(cell(result, 5, 2).backgroundAfforded()).isCloseTo(15 * 0.9 / 21, within(1e-12));
  }

  @Test
  void badRowsAreCountedAndListedWithTheirLine() throws IOException {
    List<String> lines = handMade();
    lines.add(5, "m1,3.1,plenty");
    lines.add(6, "m1");
    lines.add(7, "m1,1,9");
    lines.add(8, ",3.2,9");
    lines.add(9, "m1,3.3,-4");
    lines.add(10, "m1,noon,9");
    lines.add(11, "m1,1e300,9");
    lines.add(12, "m1,3.5,1e30");
    Path file = table("t.csv", lines);
    TuneResult result = run(request(file, BY_NAMES, List.of(5.0)));
    assertThat(result.badRows().count()).isEqualTo(8);
    assertThat(result.badRows().first().get(0))
        .isEqualTo(file + ":6: field 3 is \"plenty\", not a number");
    assertThat(result.badRows().first().get(1)).contains("1 fields, at least 2 are needed");
    assertThat(result.badRows().first().get(2))
        .contains(":8: the time of series m1 is not later than the one before");
    assertThat(result.badRows().first().get(3)).contains("the name of the series is empty");
    assertThat(result.badRows().first().get(5)).contains("time \"noon\" is neither");
    assertThat(result.badRows().first().get(6)).contains("check --time-unit");
    assertThat(result.badRows().first().get(7)).contains("the value is above 2^63");
    assertThat(result.grid())
        .isEqualTo(run(request(table("g.csv", handMade()), BY_NAMES, List.of(5.0))).grid());
    TuneRequest tolerant = request(file, BY_NAMES, List.of(5.0));
    TuneRequest strict =
        new TuneRequest(
            tolerant.regulator(),
            tolerant.files(),
            tolerant.format(),
            tolerant.windows(),
            tolerant.stdFactors(),
            30,
            2,
            true);
    assertThatThrownBy(() -> run(strict)).hasMessageContaining("t.csv:6: field 3");
  }

  @Test
  void emptyValuesAndValuesAboveTheCapacityAreCounted() throws IOException {
    List<String> lines = handMade();
    lines.add("m1,11,");
    lines.add("m1,12,101");
    TuneResult result = run(request(table("t.csv", lines), BY_NAMES, List.of(5.0)));
    assertThat(result.series().samples().missing()).isEqualTo(1);
    assertThat(result.series().samples().aboveCapacity()).isEqualTo(1);
    assertThat(result.badRows().count()).isZero();
    assertThat(cell(result, 5, 0).totalViolations()).isEqualTo(3);
  }

  @Test
  void quotesMarksAndDatesAreUnderstood() throws IOException {
    List<String> lines = new ArrayList<>(List.of("\ufeff\"series\",\"timestamp\",\"value\""));
    for (int minute = 0; minute < 11; minute++) {
      lines.add("\"a b\",\"2004-11-19 09:%02d:00\",%d".formatted(minute, minute));
    }
    TuneResult result =
        run(
            request(
                table("dates.csv", lines),
                format(Optional.of("10"), false, false),
                List.of(300.0)));
    assertThat(result.series().longestSeconds()).isEqualTo(600);
    assertThat(cell(result, 300, 0).worstSeries()).isEqualTo("a b");
  }

  @Test
  void shortSeriesAreLeftOut() throws IOException {
    List<String> lines = handMade();
    lines.add("m2,0,5");
    lines.add("m3,0,0");
    lines.add("m3,1,0");
    TuneResult result = run(request(table("t.csv", lines), BY_NAMES, List.of(5.0)));
    assertThat(result.series().replayed()).isEqualTo(1);
    assertThat(result.series().leftOut()).isEqualTo(2);
    assertThat(result.series().samples().all()).isEqualTo(11);
  }

  @Test
  void whatIsMissingIsNamedWithItsRemedy() throws IOException {
    Path noTime = table("no-time.csv", List.of("machine,mem_util", "m1,5"));
    assertThatThrownBy(() -> run(request(noTime, BY_NAMES, List.of(5.0))))
        .hasMessageContaining("no-time.csv:1: no time column among [machine, mem_util]")
        .hasMessageContaining("--interval");
    Path noCapacity = table("no-capacity.csv", List.of("time,mem_util", "1,5"));
    assertThatThrownBy(() -> run(request(noCapacity, BY_NAMES, List.of(5.0))))
        .hasMessageContaining("the capacity is not known")
        .hasMessageContaining("--capacity");
    assertThatThrownBy(
            () -> run(request(noCapacity, format(Optional.of("size"), false, false), List.of(5.0))))
        .hasMessageContaining("no column \"size\" among");
    Path noValue = table("no-value.csv", List.of("time,temperature", "1,5"));
    assertThatThrownBy(() -> run(request(noValue, BY_NAMES, List.of(5.0))))
        .hasMessageContaining("hold memory usage")
        .hasMessageContaining("--value");
    Path empty = table("empty.csv", List.of());
    assertThatThrownBy(() -> run(request(empty, BY_NAMES, List.of(5.0))))
        .hasMessageContaining("empty.csv: the file is empty");
    Path onlyBad = table("bad.csv", List.of("time,mem_util_percent", "1,x"));
    assertThatThrownBy(() -> run(request(onlyBad, BY_NAMES, List.of(5.0))))
        .hasMessageContaining("bad.csv:2: field 2")
        .hasMessageContaining("--min-samples");
    assertThatThrownBy(() -> run(request(directory.resolve("nowhere.csv"), BY_NAMES, List.of(5.0))))
        .hasMessageContaining("nowhere.csv");
  }

  @Test
  void aColumnThatIsNoSeriesDoesNotFillTheMemory() throws IOException {
    List<String> lines = new ArrayList<>(List.of("series,time,mem_util_percent"));
    for (int row = 0; row < 1_001; row++) {
      lines.add(row + "," + row + ",5");
    }
    TuneRequest few = request(table("ids.csv", lines), BY_NAMES, List.of(5.0));
    List<Double> factors = new ArrayList<>();
    for (int cell = 0; cell < 1000; cell++) {
      factors.add(cell / 100.0);
    }
    assertThatThrownBy(
            () ->
                run(
                    new TuneRequest(
                        few.regulator(),
                        few.files(),
                        few.format(),
                        few.windows(),
                        factors,
                        30,
                        2,
                        false)))
        .hasMessageContaining("ids.csv:1002: more than 1000 series with this grid")
        .hasMessageContaining("is --series the right column?");
  }
}
