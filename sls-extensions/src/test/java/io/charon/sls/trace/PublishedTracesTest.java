/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the importers on Google's real files, which are not part of Charon: the system property
 * {@code charon.traces} or the variable {@code CHARON_TRACES} names a directory with {@code
 * google2011/raw} and {@code google2011/derived}.
 */
class PublishedTracesTest {
  @TempDir private Path directory;

  private final BadRows badRows = new BadRows(false);
  private Path google;

  @BeforeEach
  void findTraces() {
    String name = System.getProperty("charon.traces", System.getenv("CHARON_TRACES"));
    if (name == null) {
      System.out.println(
          "PublishedTracesTest skipped: neither -Dcharon.traces nor CHARON_TRACES names a directory");
    }
    assumeTrue(name != null, "neither -Dcharon.traces nor CHARON_TRACES names a directory");
    google = Path.of(name).resolve("google2011");
  }

  private WorkloadHeader build(TraceReader reader, Optional<WorkloadRequest.Draw> draw)
      throws IOException {
    try (reader) {
      return new WorkloadBuilder(CellStatistics.published(), badRows, (what, done) -> {})
          .fromTrace(
              reader,
              new WorkloadRequest(
                  directory.resolve("w.jsonl.gz"),
                  TraceNodeSize.ofThePaper(),
                  draw.isPresent() ? OptionalInt.of(100) : OptionalInt.empty(),
                  draw,
                  OptionalDouble.empty(),
                  1,
                  1))
          .header();
    }
  }

  private TraceReader tables() throws IOException {
    return new Google2011TableReader(
        google.resolve("derived"),
        TraceNodeSize.ofThePaper(),
        CellStatistics.published().cell().memory(),
        badRows);
  }

  @Test
  void rawFilesAndTablesTellTheSame() throws IOException {
    assumeTrue(Files.isDirectory(google.resolve("raw")), google + "/raw is not there");
    WorkloadHeader raw =
        build(
            new Google2011Reader(google.resolve("raw"), TraceNodeSize.ofThePaper(), badRows),
            Optional.empty());
    WorkloadHeader derived = build(tables(), Optional.empty());
    assertThat(badRows.count()).isZero();
    assertThat(raw.counts().tasks()).isEqualTo(derived.counts().tasks());
    assertThat(raw.counts().productionJobs()).isEqualTo(derived.counts().productionJobs());
    assertThat(raw.nodes()).isEqualTo(derived.nodes());
    assertThat(raw.usedOverRequested().all()).isCloseTo(0.50, within(0.005));
    assertThat(derived.usedOverRequested().all()).isCloseTo(0.50, within(0.005));
  }

  @Test
  void thePapersMixCanBeDrawn() throws IOException {
    WorkloadHeader header = build(tables(), Optional.of(WorkloadRequest.Draw.ofThePaper()));
    assertThat(header.counts().productionJobs()).isEqualTo(754);
    assertThat(header.counts().bestEffortJobs()).isEqualTo(3074);
    assertThat(header.usedOverRequested().all()).isCloseTo(0.50, within(0.005));
  }

  /** The shipped figures were computed from these tables. */
  @Test
  void thePublishedFiguresAreThoseOfTheTables() throws IOException {
    CellStatistics statistics = CellStatistics.published();
    int residents = 0;
    int submitted = 0;
    double load = 0;
    TraceReader reader = tables();
    try (reader) {
      for (Optional<TraceJob> job = reader.next(); job.isPresent(); job = reader.next()) {
        load += job.get().load();
        if (job.get().tier() == Tier.PRODUCTION && job.get().resident()) {
          residents++;
        } else if (job.get().tier() == Tier.OTHER && !job.get().resident()) {
          submitted++;
        }
      }
      TracedCell cell = reader.cell().orElseThrow();
      double cluster =
          cell.memory() * TraceNodeSize.ofThePaper().memoryBytes() * cell.windowMillis();
      double published = 0;
      for (Tier tier : Tier.values()) {
        published += statistics.tier(tier).requestedShareOfCell();
      }
      assertThat(load / cluster).isCloseTo(published, within(0.005));
    }
    // A job with tasks of different priorities may be counted in different tiers.
    assertThat(residents).isCloseTo(statistics.tier(Tier.PRODUCTION).resident().jobs(), within(10));
    assertThat(submitted).isCloseTo(statistics.tier(Tier.OTHER).submitted().jobs(), within(10));
  }
}
