/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import io.charon.nodemanager.mechanisms.stop.StopState;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the amounts that best-effort may use, in status and metrics; they are absent without a
 * sensor.
 */
class ReclaimedNumbersTest {
  private static final double GIBIBYTE = 1 << 30;
  private static final long MEBIBYTE = 1 << 20;

  private final NodeMetrics metrics = new NodeMetrics();
  private final ContainerLedger ledger = new ContainerLedger();
  private List<MechanismRunner.State> mechanisms = List.of();
  private Optional<String> outdated = Optional.empty();
  private Optional<NodeReading> seen = Optional.empty();
  private CharonSettings settings = TestSettings.of("mode", "observe");
  private final StatusReporter reporter =
      new StatusReporter(
          new StatusSource(
              () -> settings,
              metrics,
              new StatusSource.Containers(
                  ledger,
                  new PlacedContainers(),
                  ContainerPlaces.Outside::none,
                  () -> true,
                  id -> OptionalInt.empty()),
              new StatusSource.Launches(
                  Optional::empty, Optional::empty, Optional::empty, List::of),
              new StatusSource.Killers(Optional::empty, () -> false, new KillLog()),
              new StatusSource.Mechanisms(
                  () -> mechanisms,
                  () -> seen,
                  () -> new FreezeState(RegulatorMode.OFF, Optional.empty(), Map.of()),
                  new StatusSource.Tick(() -> 0, Optional::empty)),
              Optional::empty,
              StopState::notStopped));

  @AfterEach
  void close() {
    metrics.close();
  }

  private StatusDocument.Reclaimed shown(String resource) {
    return reporter.document().mechanisms().reclaimed().stream()
        .filter(one -> one.resource().equals(resource))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, Double> told(Metric metric) {
    return metrics.read().stream()
        .filter(family -> family.metric() == metric)
        .flatMap(family -> family.samples().stream())
        .collect(
            Collectors.toMap(
                sample -> sample.labels().values().iterator().next(), sample -> sample.value()));
  }

  private void production(String id, long bytes, int cores) {
    ledger.started(
        new ContainerInfo(
            id,
            new Owner("alice", "application_1_0001"),
            ExecutionType.GUARANTEED,
            false,
            new JobKey("job"),
            bytes,
            cores));
  }

  private static NodeReading reading(Map<Integer, Double> busy, Measurement bestEffort) {
    Measurement missing = Measurement.missing("not read");
    return new NodeReading(
        0,
        "the node minus best-effort",
        ResourceUse.missing("not read"),
        new ResourceUse(missing, bestEffort, missing),
        new CoreUse(
            Cores.parse("0-9"),
            Cores.parse("0-9"),
            Optional.empty(),
            busy,
            busy.isEmpty() ? Optional.of("/proc/stat: gone") : Optional.empty()),
        ResourceUse.missing("not read"),
        new NodeReading.Health(missing, missing, missing),
        missing);
  }

  private static Map<Integer, Double> cores(int count, double busy) {
    Map<Integer, Double> cores = new HashMap<>();
    for (int core = 0; core < count; core++) {
      cores.put(core, busy);
    }
    return cores;
  }

  private MechanismRunner.State limit(RegulatorMode mode, OptionalDouble limitBytes) {
    return limit(mode, limitBytes, GIBIBYTE);
  }

  private MechanismRunner.State limit(
      RegulatorMode mode, OptionalDouble limitBytes, double heldBytes) {
    return new MechanismRunner.State(
        "memory-limit",
        mode,
        Optional.empty(),
        new MechanismReport(
            "memory that others hold within their entitlement, page cache included",
            Optional.empty(),
            List.of(
                new MechanismReport.Quantity("limit", "bytes", limitBytes),
                new MechanismReport.Quantity("capacity", "bytes", OptionalDouble.of(8 * GIBIBYTE)),
                new MechanismReport.Quantity(
                    "unreclaimable", "bytes", OptionalDouble.of(heldBytes))),
            Optional.empty(),
            Optional.empty()),
        "",
        outdated);
  }

  @Test
  void withoutALimitItIsTheUnusedMemoryLessATenth() {
    production("p", 700 * MEBIBYTE, 1);
    ledger.started(ContainerInfos.bestEffort("b", 900 * MEBIBYTE));
    reporter.observed(Optional.of(new NodeMemory(1000 * MEBIBYTE, 600 * MEBIBYTE)));
    StatusDocument.Reclaimed memory = shown("memory");
    assertThat(memory)
        .isEqualTo(
            new StatusDocument.Reclaimed(
                "memory", "bytes", 500.0 * MEBIBYTE, 300.0 * MEBIBYTE, 200.0 * MEBIBYTE, null));
    assertThat(told(NodeMetric.RECLAIMED_BYTES))
        .isEqualTo(
            Map.of("now", memory.now(), "free", memory.free(), "reclaimed", memory.reclaimed()));
  }

  @Test
  void withALimitItIsWhatThatLeaves() {
    production("p", 6L << 30, 1);
    reporter.observed(Optional.of(new NodeMemory(8L << 30, 1)));
    for (RegulatorMode mode : List.of(RegulatorMode.OBSERVE, RegulatorMode.ENFORCE)) {
      mechanisms = List.of(limit(mode, OptionalDouble.of(5 * GIBIBYTE)));
      assertThat(shown("memory"))
          .isEqualTo(
              new StatusDocument.Reclaimed(
                  "memory", "bytes", 4 * GIBIBYTE, 2 * GIBIBYTE, 3 * GIBIBYTE, null));
    }
    mechanisms = List.of(limit(RegulatorMode.ENFORCE, OptionalDouble.empty()));
    assertThat(shown("memory").missing()).isEqualTo("the memory limit has not been computed yet");
    mechanisms = List.of(limit(RegulatorMode.OFF, OptionalDouble.of(5 * GIBIBYTE)));
    assertThat(shown("memory").now()).as("less than a tenth is unused").isZero();
  }

  /** Otherwise the loan would seem to end when it is used. */
  @Test
  void whatBestEffortHoldsOfProductionsMemoryIsStillReclaimed() {
    production("p", 6L << 30, 1);
    for (long held : new long[] {0, 2, 5}) {
      mechanisms =
          List.of(limit(RegulatorMode.ENFORCE, OptionalDouble.of(5 * GIBIBYTE), held * GIBIBYTE));
      assertThat(shown("memory"))
          .isEqualTo(
              new StatusDocument.Reclaimed(
                  "memory", "bytes", (5 - held) * GIBIBYTE, 2 * GIBIBYTE, 3 * GIBIBYTE, null));
    }
  }

  @Test
  void withoutALimitWhatItHoldsIsStillReclaimedToo() {
    production("p", 600 * MEBIBYTE, 1);
    ledger.started(ContainerInfos.bestEffort("b", 900 * MEBIBYTE));
    for (long held : new long[] {0, 300, 600}) {
      ledger.measured(Map.of("b", WorkingSet.of(held * MEBIBYTE)));
      reporter.observed(Optional.of(new NodeMemory(1000 * MEBIBYTE, (700 - held) * MEBIBYTE)));
      assertThat(shown("memory"))
          .as("700 MiB less a tenth of the node, of which 400 are free")
          .isEqualTo(
              new StatusDocument.Reclaimed(
                  "memory",
                  "bytes",
                  (600.0 - held) * MEBIBYTE,
                  400.0 * MEBIBYTE,
                  200.0 * MEBIBYTE,
                  null));
    }
  }

  @Test
  void processorsAreLentUpToTheWaterLineBesideAllOthers() {
    production("p", 1, 8);
    // Of ten cores four are used, one of them by best-effort: 6.5 - 3 may be used, of which 2 are
    // free.
    seen = Optional.of(reading(cores(10, 0.4), Measurement.of(1)));
    StatusDocument.Reclaimed cpu = shown("cpu");
    assertThat(cpu).isEqualTo(new StatusDocument.Reclaimed("cpu", "cores", 3.5, 2.0, 1.5, null));
    assertThat(told(NodeMetric.RECLAIMED_CORES))
        .isEqualTo(Map.of("now", 3.5, "free", 2.0, "reclaimed", 1.5));
  }

  private MechanismRunner.State processors(
      String name, RegulatorMode mode, OptionalDouble limitCores) {
    return new MechanismRunner.State(
        name,
        mode,
        Optional.empty(),
        new MechanismReport(
            "load",
            Optional.empty(),
            List.of(new MechanismReport.Quantity("limit", "cores", limitCores)),
            Optional.empty(),
            Optional.empty()),
        "",
        outdated);
  }

  @Test
  void anotherWaterLineCountsAndItsLimitWhereItIsOn() {
    production("p", 1, 8);
    seen = Optional.of(reading(cores(10, 0.4), Measurement.of(1)));
    settings = TestSettings.of("regulator.cpu.water-line-percent", "80");
    mechanisms = List.of(processors("cpu-water-line", RegulatorMode.OFF, OptionalDouble.of(9)));
    assertThat(shown("cpu"))
        .as("8 - 3 by the line alone")
        .isEqualTo(new StatusDocument.Reclaimed("cpu", "cores", 5.0, 2.0, 3.0, null));

    for (RegulatorMode mode : List.of(RegulatorMode.OBSERVE, RegulatorMode.ENFORCE)) {
      mechanisms = List.of(processors("cpu-water-line", mode, OptionalDouble.of(4.5)));
      assertThat(shown("cpu"))
          .as("what it gives, which grows by at most a tenth of the node a second")
          .isEqualTo(new StatusDocument.Reclaimed("cpu", "cores", 4.5, 2.0, 2.5, null));
    }
    assertThat(told(NodeMetric.RECLAIMED_CORES))
        .isEqualTo(Map.of("now", 4.5, "free", 2.0, "reclaimed", 2.5));

    mechanisms =
        List.of(processors("cpu-water-line", RegulatorMode.ENFORCE, OptionalDouble.empty()));
    assertThat(shown("cpu").missing())
        .isEqualTo("cpu-water-line: its limit has not been computed yet");
    outdated = Optional.of("its readings could not be taken for 9 s");
    mechanisms =
        List.of(processors("cpu-water-line", RegulatorMode.ENFORCE, OptionalDouble.of(4.5)));
    assertThat(shown("cpu").missing()).startsWith("cpu-water-line: its readings could not");
  }

  @Test
  void coresThatFollowTheWaterLineCountToo() {
    seen = Optional.of(reading(cores(10, 0.4), Measurement.of(1)));
    mechanisms =
        List.of(
            processors("cores", RegulatorMode.ENFORCE, OptionalDouble.of(4)),
            processors("cpu-water-line", RegulatorMode.ENFORCE, OptionalDouble.of(4.5)));
    settings =
        TestSettings.of(
            "regulator.cpu.water-line-percent",
            "80",
            "regulator.cores.follow-load.enabled",
            "true");
    assertThat(shown("cpu").now()).as("whole cores").isEqualTo(4.0);
    settings = TestSettings.of("regulator.cpu.water-line-percent", "80");
    assertThat(shown("cpu").now()).as("cores that follow no load").isEqualTo(4.5);
  }

  @Test
  void aLimitWithoutNewReadingsPromisesNothing() {
    reporter.observed(Optional.of(new NodeMemory(8L << 30, 1)));
    outdated = Optional.of("its readings could not be taken for 9 s");
    mechanisms = List.of(limit(RegulatorMode.ENFORCE, OptionalDouble.of(5 * GIBIBYTE)));
    assertThat(shown("memory"))
        .isEqualTo(
            new StatusDocument.Reclaimed(
                "memory",
                "bytes",
                null,
                null,
                null,
                "the memory limit: its readings could not be taken for 9 s"));
    assertThat(told(NodeMetric.RECLAIMED_BYTES)).isEmpty();
  }

  @Test
  void whatCannotBeMeasuredIsAbsentWithItsReason() {
    assertThat(shown("memory"))
        .isEqualTo(
            new StatusDocument.Reclaimed(
                "memory", "bytes", null, null, null, "the node's memory cannot be read"));
    assertThat(shown("cpu").missing()).isEqualTo("no reading yet");
    seen = Optional.of(reading(Map.of(), Measurement.of(1)));
    assertThat(shown("cpu").missing()).isEqualTo("/proc/stat: gone");
    seen = Optional.of(reading(cores(10, 0.4), Measurement.missing("no cpu.stat")));
    assertThat(shown("cpu"))
        .isEqualTo(new StatusDocument.Reclaimed("cpu", "cores", null, null, null, "no cpu.stat"));
    assertThat(told(NodeMetric.RECLAIMED_BYTES)).isEmpty();
    assertThat(told(NodeMetric.RECLAIMED_CORES)).isEmpty();
  }
}
