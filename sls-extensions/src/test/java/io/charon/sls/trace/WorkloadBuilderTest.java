/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadBuilderTest {
  @TempDir private Path directory;

  private Path out() {
    return directory.resolve("w.jsonl.gz");
  }

  private WorkloadRequest request(long seed, OptionalDouble productionRatio, int load) {
    return new WorkloadRequest(
        out(),
        TraceNodeSize.ofThePaper(),
        OptionalInt.of(100),
        Optional.of(WorkloadRequest.Draw.ofThePaper()),
        productionRatio,
        load,
        seed);
  }

  private static WorkloadBuilder builder() {
    return new WorkloadBuilder(CellStatistics.published(), new BadRows(false), (what, done) -> {});
  }

  private List<SimulatedJob> readAll() throws IOException {
    List<SimulatedJob> jobs = new ArrayList<>();
    try (WorkloadReader reader = new WorkloadReader(out())) {
      for (Optional<SimulatedJob> job = reader.next(); job.isPresent(); job = reader.next()) {
        jobs.add(job.get());
      }
    }
    return jobs;
  }

  private static double load(List<SimulatedJob> jobs, Side side) {
    return jobs.stream()
        .filter(job -> job.side() == side)
        .flatMap(job -> job.tasks().stream())
        .mapToDouble(g -> (double) g.count() * g.requestedBytes() * g.durationMillis())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 77, -12345})
  void aGeneratedWorkloadResemblesTheCell(long seed) throws IOException {
    WorkloadReport report = builder().generate(request(seed, OptionalDouble.empty(), 1), 7);
    List<SimulatedJob> jobs = readAll();
    assertThat(jobs).filteredOn(job -> job.side() == Side.PRODUCTION).hasSize(754);
    assertThat(jobs).filteredOn(job -> job.side() == Side.BEST_EFFORT).hasSize(3074);
    MemoryUse use = new MemoryUse();
    jobs.forEach(use::add);
    assertThat(use.ratio()).isCloseTo(0.5, within(0.005));
    assertThat(report.header().usedOverRequested().all()).isCloseTo(use.ratio(), within(0.001));
    double cluster = 100.0 * TraceNodeSize.ofThePaper().memoryBytes() * 7 * 3_600_000;
    assertThat(load(jobs, Side.PRODUCTION) / cluster).isBetween(0.45, 0.59);
    assertThat(load(jobs, Side.BEST_EFFORT) / cluster).isBetween(0.30, 0.34);
    assertThat(jobs.get(jobs.size() - 1).submitMillis()).isBetween(6L * 3_600_000, 7L * 3_600_000);
    assertThat(jobs.stream().map(SimulatedJob::id).distinct()).hasSameSizeAs(jobs);
    assertThat(jobs.stream().map(SimulatedJob::name).distinct().count()).isLessThan(2500);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5})
  void productionGetsTheRatioThatIsAskedFor(long seed) throws IOException {
    WorkloadHeader header =
        builder().generate(request(seed, OptionalDouble.of(0.70), 1), 7).header();
    assertThat(header.usedOverRequested().production()).isCloseTo(0.70, within(0.005));
    assertThat(header.usedOverRequested().all()).isCloseTo(0.50, within(0.03));
  }

  @Test
  void aWorkloadThatCannotReachTheRatioIsRefusedWithItsOwn() throws IOException {
    assertThatThrownBy(() -> builder().generate(request(1, OptionalDouble.of(0.93), 1), 7))
        .isInstanceOf(TraceException.class)
        .hasMessageMatching(
            "the workload is refused: its tasks use 0\\.\\d+ of the memory .*must be.*");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theSameSeedGivesTheSameFileAndAnotherAnother() throws IOException {
    builder().generate(request(1, OptionalDouble.empty(), 1), 7);
    List<SimulatedJob> first = readAll();
    builder().generate(request(1, OptionalDouble.empty(), 1), 7);
    assertThat(readAll()).isEqualTo(first);
    builder().generate(request(2, OptionalDouble.empty(), 1), 7);
    assertThat(readAll()).isNotEqualTo(first);
  }

  @Test
  void loadRepeatsBestEffortSubmissions() throws IOException {
    WorkloadHeader once = builder().generate(request(1, OptionalDouble.empty(), 1), 7).header();
    WorkloadHeader header = builder().generate(request(1, OptionalDouble.empty(), 4), 7).header();
    assertThat(header.counts().productionJobs()).isEqualTo(754);
    assertThat(header.counts().bestEffortJobs()).isEqualTo(4 * 3074);
    assertThat(header.usedOverRequested().all()).isEqualTo(once.usedOverRequested().all());
    List<SimulatedJob> jobs = readAll();
    assertThat(jobs).hasSize(754 + 4 * 3074);
    SimulatedJob original =
        jobs.stream().filter(job -> job.side() == Side.BEST_EFFORT).findFirst().orElseThrow();
    assertThat(jobs)
        .filteredOn(job -> job.id().matches(original.id() + "(-x.*)?"))
        .allSatisfy(
            copy -> {
              assertThat(copy.name()).isEqualTo(original.name());
              assertThat(copy.submitMillis()).isEqualTo(original.submitMillis());
              assertThat(copy.tasks()).isEqualTo(original.tasks());
            })
        .extracting(job -> job.id().substring(original.id().length()))
        .containsExactly("", "-x2", "-x3", "-x4");
  }

  @Test
  void noTaskNeedsMoreThanItAsksForAndMemoryRampsUp() throws IOException {
    builder().generate(request(3, OptionalDouble.empty(), 1), 7);
    for (SimulatedJob job : readAll()) {
      for (TaskGroup group : job.tasks()) {
        MemoryCurve curve = group.memory();
        long peak =
            curve.points().stream()
                .mapToLong(p -> p.anonymousBytes() + p.fileBytes())
                .max()
                .orElseThrow();
        assertThat(peak).isLessThanOrEqualTo(group.requestedBytes());
        assertThat(curve.anonymousBytesAt(0))
            .isLessThanOrEqualTo(curve.peakAnonymousBytes() / 9 + 1);
      }
    }
  }

  @Test
  void recurringJobsUseAboutTheSame() throws IOException {
    builder().generate(request(3, OptionalDouble.empty(), 1), 7);
    Map<String, Set<Long>> ratios = new HashMap<>();
    for (SimulatedJob job : readAll()) {
      TaskGroup group = job.tasks().get(0);
      long percent =
          Math.round(100.0 * group.memory().peakAnonymousBytes() / group.requestedBytes());
      ratios.computeIfAbsent(job.name(), name -> new HashSet<>()).add(percent);
    }
    assertThat(ratios.values())
        .allSatisfy(
            percents -> {
              long low = percents.stream().mapToLong(p -> p).min().orElseThrow();
              long high = percents.stream().mapToLong(p -> p).max().orElseThrow();
              assertThat(high - low).isLessThanOrEqualTo(20);
            });
  }

  @Test
  void aTaskHasTheSameCurveWhateverElseIsInTheTrace() {
    MemoryModel model = new MemoryModel(CellStatistics.published(), 7);
    TaskBatch batch = new TaskBatch(5, 1L << 30, 1, 600_000, 2, Optional.empty());
    TraceJob job = new TraceJob("42", "n", "u", Tier.FREE, false, 0, List.of(batch));
    TraceJob later =
        new TraceJob("42", "n", "u", Tier.FREE, false, 99, List.of(batch.withCount(1), batch));
    MemoryModel again = new MemoryModel(CellStatistics.published(), 7);
    assertThat(again.rawRatio(later, batch)).isEqualTo(model.rawRatio(job, batch));
    MemoryCurve curve = model.curve(job, batch, 0.5);
    assertThat(again.curve(later, batch, 0.5)).isEqualTo(curve);
    assertThat(MemoryUse.meanBytes(curve) / (0.5 * (1L << 30)))
        .isCloseTo(model.meanOfShape(job, batch), within(1e-6));
    assertThat(new MemoryModel(CellStatistics.published(), 8).curve(job, batch, 0.5))
        .isNotEqualTo(curve);
  }

  @Test
  void productionMayLiveFromItsPageCache() {
    MemoryModel model = new MemoryModel(CellStatistics.published(), 7, OptionalDouble.of(0.30));
    TaskBatch batch = new TaskBatch(5, 1L << 40, 1, 600_000, 2, Optional.empty());
    for (Tier tier : Tier.values()) {
      TraceJob job = new TraceJob("42", "n", "u", tier, false, 0, List.of(batch));
      MemoryCurve.Point point = model.curve(job, batch, 0.5).points().get(1);
      double cache = point.fileBytes() + point.streamingBytes();
      double published = CellStatistics.published().tier(tier).pageCacheShare();
      assertThat(cache / (point.anonymousBytes() + cache))
          .isCloseTo(tier.side() == Side.PRODUCTION ? 0.30 : published, within(1e-6));
      assertThat(point.fileBytes() / cache).isCloseTo(2.0 / 3, within(1e-6));
    }
  }

  @Test
  void measuredCurvesAreKeptAndNotRefused() throws IOException {
    Path trace =
        Files.writeString(
            directory.resolve("t.json"),
            """
            {"job.id": "a", "job.start.ms": 0, "job.tasks": [{"container.start.ms": 0,
             "container.end.ms": 1000, "container.memory": 1000,
             "container.musage": {"times": [1000], "mems": [900]}}]}
            """);
    WorkloadRequest request =
        new WorkloadRequest(
            out(),
            TraceNodeSize.ofThePaper(),
            OptionalInt.of(3),
            Optional.empty(),
            OptionalDouble.empty(),
            1,
            1);
    try (SlsJsonReader reader =
        new SlsJsonReader(trace, TraceNodeSize.ofThePaper(), new BadRows(true))) {
      WorkloadHeader header = builder().fromTrace(reader, request).header();
      assertThat(header.usedOverRequested().all()).isCloseTo(0.9, within(1e-3));
      assertThat(header.rules()).containsExactly("memory over time is that of the trace");
      assertThat(header.nodes()).isEqualTo(3);
    }
    assertThat(readAll().get(0).tasks().get(0).memory().peakAnonymousBytes()).isEqualTo(900L << 20);
  }

  @Test
  void aTraceWithoutJobsIsRefused() throws IOException {
    Path trace = Files.writeString(directory.resolve("t.json"), "[]");
    WorkloadRequest request =
        new WorkloadRequest(
            out(),
            TraceNodeSize.ofThePaper(),
            OptionalInt.of(3),
            Optional.empty(),
            OptionalDouble.empty(),
            1,
            1);
    try (SlsJsonReader reader =
        new SlsJsonReader(trace, TraceNodeSize.ofThePaper(), new BadRows(true))) {
      assertThatThrownBy(() -> builder().fromTrace(reader, request))
          .hasMessage("the trace contains no job that ran; rows read: 0, left out: {}, bad: 0 []");
    }
    assertThat(out()).doesNotExist();
  }
}
