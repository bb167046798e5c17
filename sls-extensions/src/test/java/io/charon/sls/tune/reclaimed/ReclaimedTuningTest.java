/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.forecast.UsePredictor;
import io.charon.core.forecast.UseSample;
import io.charon.sls.tune.reclaimed.LeftOut.Skipped;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests tables and judgement with small series. */
class ReclaimedTuningTest {
  private static final int DAY = UseSample.PER_DAY;
  private static final double GAP_SECONDS = 6 * 3600;

  @TempDir private Path traces;

  /** A predictor that keeps a fixed share. */
  private static Candidate fixed(double share) {
    return new Candidate(
        "fixed",
        () ->
            new UsePredictor() {
              @Override
              public void add(UseSample sample) {
                // Nothing is learned.
              }

              @Override
              public double keptShare() {
                return share;
              }
            });
  }

  private static List<UsageTable> tables(String name) {
    return UsageTable.published().stream().filter(table -> table.name().equals(name)).toList();
  }

  private TableResult run(String name, double kept, int perMachine) throws IOException {
    return new ReclaimedTuning(traces, tables(name), List.of(fixed(kept)), perMachine, GAP_SECONDS)
        .run((what, done) -> {})
        .get(0);
  }

  private void write(String name, List<String> lines) throws IOException {
    Path file = traces.resolve(tables(name).get(0).file());
    Files.createDirectories(file.getParent());
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<String> vms() {
    return new ArrayList<>(
        List.of("vm,time_s,cores,cpu_pct,mem_prov_mb,mem_used_mb,net_rx_kbs,net_tx_kbs"));
  }

  private static void vm(
      List<String> lines, String vm, long samples, LongToDoubleFunction percent) {
    for (long i = 0; i < samples; i++) {
      lines.add("%s,%d,4,%s,100,50,0,0".formatted(vm, i * 300, percent.applyAsDouble(i)));
    }
  }

  @Test
  void aMachineIsJudgedFromTheSecondDayToTheLastButOne() throws IOException {
    List<String> lines = vms();
    vm(lines, "a", 4L * DAY, i -> 20);
    // One sample of the two judged days, and all of the last day, which only the oracle sees.
    vm(lines, "b", 4L * DAY, i -> i == 300 || i >= 3L * DAY ? 100 : 20);
    write("bitbrains cpu", lines);
    TableResult result = run("bitbrains cpu", 0.25, 2);
    assertThat(result.machines()).isEqualTo(1);
    assertThat(result.samples()).isEqualTo(2 * DAY + 1);
    assertThat(result.leftOut().named()).isEmpty();
    assertThat(result.scores().allocation().usable()).isZero();
    Score score = result.scores().predictors().get("fixed");
    assertThat(score.usable()).isCloseTo(0.75, within(1e-12));
    // Samples 300 and the first of the last day: 4.8 of 8 cores used, 2 kept.
    assertThat(score.violations()).isCloseTo(2.0 / (2 * DAY + 1), within(1e-12));
    assertThat(score.meanExcess()).isCloseTo(0.6 - 0.25, within(1e-12));
    // A peak is in the next day up to sample 300, and from one day before the last day on.
    assertThat(score.belowPeak()).isCloseTo((13 + DAY) / (2.0 * DAY + 1), within(1e-12));
    assertThat(result.scores().oracle().violations()).isZero();
    assertThat(result.scores().oracle().usable())
        .isCloseTo(1 - (0.6 * (13 + DAY) + 0.2 * (DAY - 12)) / (2.0 * DAY + 1), within(1e-12));
  }

  @Test
  void seriesWithGapsAndInvalidNumbersAreNamedByFileAndLine() throws IOException {
    List<String> lines = vms();
    vm(lines, "good", 4L * DAY, i -> i == 700 ? -1 : 10);
    vm(lines, "negative", 4L * DAY, i -> i % 2 == 0 ? -1 : 10);
    vm(lines, "absurd", 4L * DAY, i -> 500);
    vm(lines, "gap", DAY, i -> 10);
    for (long i = DAY + 100; i < 5L * DAY; i++) {
      lines.add("gap,%d,4,10,100,50,0,0".formatted(i * 300));
    }
    write("bitbrains cpu", lines);
    TableResult result = run("bitbrains cpu", 0.25, 1);
    assertThat(result.machines()).isEqualTo(1);
    String file = traces.resolve("bitbrains/rnd_2013-8_oddVMs_5min.csv.gz").toString();
    int rows = 4 * DAY;
    assertThat(result.leftOut().named())
        .extracting(Skipped::toString)
        .containsExactlyInAnyOrder(
            "%s:702: field 4 is \"-1.0\", not a number that is not negative; the row is left out"
                .formatted(file),
            "%s:%d: field 4 is \"-1.0\", not a number that is not negative (%d of %d rows are invalid); series negative is skipped"
                .formatted(file, 2 + rows, rows / 2, rows),
            "%s:%d: a use of 20.0000 is more than 1.25 times the request of 4.00000 (%d of %d rows are invalid); series absurd is skipped"
                .formatted(file, 2 + 2 * rows, rows, rows),
            "%s:%d: a gap of 8.4 h before this row; series gap is skipped"
                .formatted(file, 2 + 3 * rows + DAY));
  }

  @Test
  void badRowsAtTheBeginningAreNamedEachByItsOwnLine() throws IOException {
    List<String> lines = vms();
    vm(lines, "a", 8L * DAY, i -> i == 1 || i == 2 ? -1 : 10);
    write("bitbrains cpu", lines);
    assertThat(run("bitbrains cpu", 0.25, 1).leftOut().named())
        .extracting(Skipped::place)
        .containsExactly(place(3), place(4));
  }

  @Test
  void theFirstOfManyBadRowsAreNamedAndAllAreCounted() throws IOException {
    List<String> lines = vms();
    vm(lines, "a", 4L * DAY, i -> 10);
    int bad = SeriesReader.MAX_NAMED + 500;
    lines.addAll(Collections.nCopies(bad, "x".repeat(300) + ",0,4,10,100,50,0,0"));
    write("bitbrains cpu", lines);
    TableResult result = run("bitbrains cpu", 0.25, 1);
    assertThat(result.machines()).isEqualTo(1);
    assertThat(result.leftOut().rows()).isEqualTo(bad);
    assertThat(result.leftOut().series()).isZero();
    assertThat(result.leftOut().named())
        .hasSize(SeriesReader.MAX_NAMED)
        .first()
        .hasToString(
            place(4 * DAY + 2) + ": field 1 has more than 256 characters; the row is left out");
  }

  @Test
  void everySeriesThatIsSkippedNamesItsFirstBadRow() throws IOException {
    List<String> lines = vms();
    int series = SeriesReader.MAX_NAMED + 500;
    for (int i = 0; i < series; i++) {
      vm(lines, "vm" + i, 2, sample -> -1);
    }
    vm(lines, "good", 4L * DAY, sample -> 10);
    write("bitbrains cpu", lines);
    LeftOut leftOut = run("bitbrains cpu", 0.25, 1).leftOut();
    assertThat(leftOut.rows()).isZero();
    assertThat(leftOut.series()).isEqualTo(series);
    assertThat(leftOut.named().get(series - 1))
        .hasToString(
            "%s: field 4 is \"-1.0\", not a number that is not negative"
                    .formatted(place(2 * series))
                + " (2 of 2 rows are invalid); series vm%d is skipped".formatted(series - 1));
  }

  private String place(int line) {
    return traces.resolve("bitbrains/rnd_2013-8_oddVMs_5min.csv.gz") + ":" + line;
  }

  @Test
  void aRowBackInTimeIsLeftOut() throws IOException {
    List<String> lines = vms();
    vm(lines, "a", 4L * DAY, i -> 10);
    lines.add("a,0,4,10,100,50,0,0");
    write("bitbrains cpu", lines);
    assertThat(run("bitbrains cpu", 0.25, 1).leftOut().named())
        .extracting(Skipped::cause)
        .containsExactly("the time is before that of the previous row");
  }

  @Test
  void reservationsOfAClusterMayBeLessThanItsCapacity() throws IOException {
    List<String> lines = new ArrayList<>(List.of("time_s,cpu_used,mem_used,mem_assigned"));
    for (long i = 0; i < 3L * DAY; i++) {
      lines.add("%d,100,1172.55,2345.1".formatted(i * 300));
    }
    write("google2011 memory", lines);
    TableResult result = run("google2011 memory", 0.5, 10);
    assertThat(result.scores().allocation().usable()).isCloseTo(0.6, within(1e-9));
    assertThat(result.scores().predictors().get("fixed").usable()).isCloseTo(0.8, within(1e-9));
    assertThat(result.scores().oracle().usable()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void eachColumnOfAWideTableIsAContainer() throws IOException {
    List<String> lines = new ArrayList<>(List.of("17,18"));
    for (long i = 0; i < 3L * DAY; i++) {
      lines.add("10,30");
    }
    write("azure2017 cpu", lines);
    TableResult result = run("azure2017 cpu", 1, 2);
    assertThat(result.machines()).isEqualTo(1);
    assertThat(result.used()).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void aSeriesThatIsTooShortGivesAReasonInsteadOfScores() throws IOException {
    List<String> lines = vms();
    vm(lines, "a", 2L * DAY, i -> 10);
    write("bitbrains cpu", lines);
    assertThat(run("bitbrains cpu", 0.25, 1).note())
        .isEqualTo(
            "1 series are left, and none of them makes a machine with more than two days of data");
  }

  @Test
  void aMissingTableOrColumnIsAnError() throws IOException {
    assertThatThrownBy(() -> run("smd cpu", 1, 1))
        .hasMessageContaining(
            "contains none of the known tables; the first of them is smd/train_8machines_1min.csv.gz");
    write("smd cpu", List.of("machine,minute,mem_u", "a,0,1"));
    assertThatThrownBy(() -> run("smd cpu", 1, 1))
        .hasMessageContaining(":1: no column \"cpu_r\" among [machine, minute, mem_u]");
  }
}
