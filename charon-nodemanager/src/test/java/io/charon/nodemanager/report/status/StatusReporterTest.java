/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.cpuset.Cores;
import io.charon.core.kill.VictimChoice;
import io.charon.core.law.Cause;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller.ContainerSample;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.cfsquota.CfsQuota;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.kill.KernelKill;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.stop.StopState;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.metrics.Sample;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class StatusReporterTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private CharonSettings settings = TestSettings.of("node.memory-boundary", "self");
  private final NodeMetrics metrics = new NodeMetrics();
  private final ContainerLedger ledger = new ContainerLedger();
  private final KillLog kills = new KillLog();
  private long nanos;
  private ContainerPlaces.Outside outside = ContainerPlaces.Outside.none();
  private final LaunchGate gate =
      new LaunchGate(
          new LocalScheduler(
              new LaunchQueue(5),
              new PeakProfile(20, 95),
              new SnapshotLaunchPolicy(
                  settings.scheduler().launch().resync(), settings.scheduler().launch().backoff())),
          Duration.ofDays(1),
          () -> nanos,
          Clock.fixed(NOW, ZoneOffset.UTC),
          nanos -> {},
          "");
  private final PlacedContainers placed = new PlacedContainers();
  private boolean makesCgroups = true;
  private List<ContainerInfo> waitingForYarn = List.of();
  private Optional<String> late = Optional.empty();
  private final StatusSource.Tick tick = new StatusSource.Tick(() -> 12_500_000_000L, () -> late);
  private final StatusReporter reporter =
      reporter(metrics, Optional::empty, () -> true, List::of, Optional::empty);

  /** Creates a reporter for a node in mode enforce without frozen or stopped containers. */
  private StatusReporter reporter(
      NodeMetrics told,
      Supplier<Optional<KernelKillerAdapter.State>> kernel,
      BooleanSupplier userSpaceKills,
      Supplier<List<MechanismRunner.State>> regulators,
      Supplier<Optional<NodeReading>> snapshot) {
    return new StatusReporter(
        new StatusSource(
            () -> settings,
            told,
            new StatusSource.Containers(
                ledger, placed, () -> outside, () -> makesCgroups, this::masterWeight),
            new StatusSource.Launches(
                () -> Optional.of(gate), () -> Optional.of(gate), Optional::empty, List::of),
            new StatusSource.Killers(kernel, userSpaceKills, kills),
            new StatusSource.Mechanisms(regulators, snapshot, StatusReporterTest::noFreeze, tick),
            Optional::empty,
            StopState::notStopped));
  }

  @Test
  void theMakerOfCgroupsIsReported() throws Exception {
    assertThat(json().at("/isolation/kind").asText()).isEqualTo("own");
    assertThat(json().at("/isolation/makers")).isEmpty();
    makesCgroups = false;
    assertThat(json().has("isolation")).as("nobody does").isFalse();

    settings = attached("yarn.nodemanager.resource.memory.enabled");
    makesCgroups = false;
    assertThat(json().at("/isolation/kind").asText()).isEqualTo("attach");
    assertThat(json().at("/isolation/makers/0").asText())
        .isEqualTo("yarn.nodemanager.resource.memory.enabled is true");
    assertThat(json().at("/isolation/memoryLimit").asText()).startsWith("not enforced: ");

    settings = attached("yarn.nodemanager.resource.cpu.enabled");
    assertThat(json().at("/isolation/memoryLimit").asText()).contains("not known", "set yarn");
    makesCgroups = true;
    assertThat(json().at("/isolation/kind").asText()).isEqualTo("beside");
  }

  private static CharonSettings attached(String key) throws SettingsException {
    Configuration configuration = TestSettings.configuration();
    configuration.set(
        "yarn.nodemanager.container-executor.class",
        "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor");
    configuration.set(key, "true");
    return TestSettings.read(configuration);
  }

  @Test
  void containersOutsideOfTheirCgroupsAreNamedWithReasonAndCure() throws Exception {
    assertThat(json().has("outsideCgroups")).isFalse();

    SortedMap<String, Path> places = new TreeMap<>();
    for (int container = 0; container < 20; container++) {
      places.put("container_%02d".formatted(container), Path.of("/cg/nm.service"));
    }
    outside = new ContainerPlaces.Outside(places, "the kernel says no", "ask root");

    JsonNode shown = json().path("outsideCgroups");
    assertThat(shown.path("containers").asInt()).isEqualTo(20);
    assertThat(shown.path("named")).hasSize(8);
    assertThat(shown.path("named").path(7).toString())
        .isEqualTo("{\"containerId\":\"container_07\",\"cgroup\":\"/cg/nm.service\"}");
    assertThat(shown.path("reason").asText()).isEqualTo("the kernel says no");
    assertThat(shown.path("cure").asText()).isEqualTo("ask root");
  }

  @Test
  void noKillerIsInChargeIfNeitherCanKill() {
    KernelKillerAdapter.State loaded =
        new KernelKillerAdapter.State(
            true, Optional.of(KernelTier.KERNEL_KILL), "it runs", Optional.of("/charon"), 0);
    AtomicBoolean userSpaceKills = new AtomicBoolean(true);
    AtomicReference<KernelKillerAdapter.State> kernel = new AtomicReference<>(loaded);
    NodeMetrics told = new NodeMetrics();
    StatusReporter both =
        reporter(
            told, () -> Optional.of(kernel.get()), userSpaceKills::get, List::of, Optional::empty);
    assertThat(both.document().containment().killer().inCharge()).isEqualTo("kernel");
    assertThat(inCharge(told)).containsExactlyInAnyOrder(1.0, 0.0);

    kernel.set(loaded.notInCharge("its passes do not reach container_1"));
    assertThat(both.document().containment().killer().inCharge()).isEqualTo("user-space");
    assertThat(both.document().containment().killer().reason())
        .isEqualTo("its passes do not reach container_1");
    assertThat(inCharge(told)).containsExactlyInAnyOrder(0.0, 1.0);

    userSpaceKills.set(false);
    assertThat(both.document().containment().killer().inCharge()).isEqualTo("nobody");
    assertThat(inCharge(told)).containsExactly(0.0, 0.0);
  }

  @Test
  void aKernelKillerThatIsNotUsedIsNotSaidToBeMissing() {
    String inEnforceOnly = "the kernel killer is used in mode enforce only";
    String needsCgroups = "the kernel killer needs cgroups, and containers have none";
    assertThat(withoutKernelKiller("mode", "observe")).isEqualTo(inEnforceOnly);
    assertThat(withoutKernelKiller("mode", "threshold")).isEqualTo(inEnforceOnly);
    assertThat(withoutKernelKiller("mode", "enforce")).isEqualTo(needsCgroups);
    assertThat(withoutKernelKiller("mode", "threshold", "cgroup.enabled", "false"))
        .isEqualTo(needsCgroups);
    assertThat(withoutKernelKiller("mode", "observe", "killer.kernel.enabled", "false"))
        .isEqualTo("no kernel killer is configured on this node");
  }

  private String withoutKernelKiller(String... keysAndValues) {
    settings = TestSettings.of(keysAndValues);
    return reporter.document().containment().killer().reason();
  }

  private static List<Double> inCharge(NodeMetrics told) {
    return told.read().stream()
        .filter(family -> family.metric() == NodeMetric.KILLER_IN_CHARGE)
        .flatMap(family -> family.samples().stream())
        .map(Sample::value)
        .toList();
  }

  private static MechanismReport.Quantity quantity(String name, String unit, double value) {
    return new MechanismReport.Quantity(name, unit, OptionalDouble.of(value));
  }

  /** Returns the state of a mechanism that has not decided. */
  private static MechanismRunner.State state(
      RegulatedLimit.Subject subject, RegulatorMode mode, String unavailable) {
    RegulatedLimit mechanism =
        new RegulatedLimit(
            subject,
            new ReserveRegulator(ReserveRegulator.memoryDefaults()),
            CheckedAvailability.fixed(Availability.missing(unavailable)));
    return new MechanismRunner.State(
        mechanism.name(),
        mode,
        mechanism.availability().missing(),
        mechanism.report(),
        "",
        Optional.empty());
  }

  @Test
  void regulatorsAndWhatTheySeeArePartOfTheState() throws Exception {
    Measurement missing = Measurement.missing("cannot read it");
    NodeReading snapshot =
        new NodeReading(
            0,
            "the node minus best-effort",
            new ResourceUse(Measurement.of(410.5), Measurement.of(20), Measurement.of(1000)),
            new ResourceUse(Measurement.of(1.5), missing, Measurement.of(2)),
            new CoreUse(
                Cores.parse("0-2"),
                Cores.parse("1-2"),
                Optional.of(Cores.parse("0")),
                Map.of(0, 0.5),
                Optional.empty()),
            ResourceUse.missing("no network"),
            new NodeReading.Health(missing, missing, missing),
            Measurement.of(0.25));
    StatusReporter regulated =
        reporter(
            new NodeMetrics(),
            Optional::empty,
            () -> true,
            () ->
                List.of(
                    new MechanismRunner.State(
                        "memory",
                        RegulatorMode.ENFORCE,
                        Optional.empty(),
                        new MechanismReport(
                            "working set and swap",
                            Optional.empty(),
                            List.of(
                                quantity("limit", "bytes", 579.5),
                                quantity("capacity", "bytes", 1000),
                                quantity("bestEffort", "bytes", 20),
                                quantity("value", "bytes", 410.5),
                                quantity("mean", "bytes", 400),
                                quantity("standardDeviation", "bytes", 10.25)),
                            Optional.empty(),
                            Optional.of("the foreground is within its range")),
                        "applied: it",
                        Optional.empty()),
                    state(
                        CfsQuota.subject(
                            HealthSignal.PRESSURE, Limit.CPU_QUOTA, Optional.of("no counters")),
                        RegulatorMode.OBSERVE,
                        "no PSI"),
                    state(
                        new RegulatedLimit.Subject(
                            "network",
                            Limit.TRAFFIC,
                            "bytes_per_second",
                            "traffic sent",
                            "bytes_per_second",
                            NodeReading::network,
                            seen -> missing,
                            Optional.empty()),
                        RegulatorMode.OFF,
                        "no network"),
                    new MechanismRunner.State(
                        "cores",
                        RegulatorMode.ENFORCE,
                        Optional.empty(),
                        new MechanismReport(
                            "pinned cores",
                            Optional.empty(),
                            List.of(
                                quantity("limit", "cores", 2),
                                quantity("capacity", "cores", 3),
                                quantity("bestEffort", "cores", 0.75),
                                quantity("value", "cores", 1),
                                quantity("mean", "cores", 0.125),
                                quantity("pinned", "cores", 1)),
                            Optional.of("1-2"),
                            Optional.of(Cause.UNPINNED.text())),
                        "applied: cpuset.cpus=1-2",
                        Optional.empty())),
            () -> Optional.of(snapshot));
    StatusDocument document = regulated.document();
    assertThat(document.mechanisms().regulators())
        .containsExactly(
            new RegulatorDocument(
                "memory",
                "enforce",
                true,
                null,
                new RegulatorDocument.Signal(
                    "working set and swap", null, "bytes", null, 410.5, 400.0, 10.25),
                new RegulatorDocument.Limit("bytes", 1000.0, 20.0, 579.5, null),
                "the foreground is within its range",
                "applied: it"),
            new RegulatorDocument(
                "cpu",
                "observe",
                false,
                "no PSI",
                new RegulatorDocument.Signal(
                    "pressure", "no counters", "ratio", null, null, null, null),
                new RegulatorDocument.Limit("cores", null, null, null, null),
                null,
                null),
            new RegulatorDocument(
                "network",
                "off",
                null,
                null,
                new RegulatorDocument.Signal(
                    "traffic sent", null, "bytes_per_second", null, null, null, null),
                new RegulatorDocument.Limit("bytes_per_second", null, null, null, null),
                null,
                null),
            new RegulatorDocument(
                "cores",
                "enforce",
                true,
                null,
                new RegulatorDocument.Signal("pinned cores", null, "cores", null, 1.0, 0.125, null),
                new RegulatorDocument.Limit("cores", 3.0, 0.75, 2.0, "1-2"),
                "best-effort runs on the cores that no foreground is pinned to",
                "applied: cpuset.cpus=1-2"));
    assertThat(document.mechanisms().resources())
        .isEqualTo(
            new StatusDocument.Resources(
                "the node minus best-effort",
                List.of(
                    new StatusDocument.Use("memory", "bytes", 410.5, 20.0, 1000.0, null),
                    new StatusDocument.Use("cpu", "cores", 1.5, null, 2.0, "cannot read it"),
                    new StatusDocument.Use(
                        "network", "bytes_per_second", null, null, null, "no network")),
                0.25,
                new StatusDocument.Cores("0-2", "0", "1-2", Map.of(0, 0.5), null)));
    assertThat(reporter.document().mechanisms().resources()).isNull();
    assertThat(new ObjectMapper().readTree(regulated.getJson()).at("/regulators/3").toString())
        .isEqualTo(
            """
            {"name":"cores","mode":"enforce","available":true,"signal":"pinned cores",\
            "signalUnit":"cores","value":1.0,"mean":0.125,"limitUnit":"cores","capacity":3.0,\
            "bestEffort":0.75,"limit":2.0,"cores":"1-2",\
            "cause":"best-effort runs on the cores that no foreground is pinned to",\
            "result":"applied: cpuset.cpus=1-2"}""");
  }

  /** Parts of the document that are records of their own are written where they always were. */
  @Test
  void namesComeInTheirOrder() throws Exception {
    NodeMemory memory = new NodeMemory(1000, 600);
    reporter.observed(Optional.of(memory));
    gate.observed(memory, Map.of());
    start(ContainerInfos.bestEffort("c1", 400));
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    outside =
        new ContainerPlaces.Outside(
            new TreeMap<>(Map.of("c1", Path.of("/cg"))), "the kernel says no", "ask root");

    assertThat(json().fieldNames())
        .toIterable()
        .containsExactly(
            "mode",
            "node",
            "snapshotBytes",
            "runnablePerCore",
            "launchesDelayedSeconds",
            "queueLimit",
            "counters",
            "running",
            "queued",
            "decisions",
            "killer",
            "isolation",
            "outsideCgroups",
            "kills",
            "regulators",
            "reclaimed",
            "tick",
            "placement",
            "stop");
    assertThat(json().at("/running/0").toString())
        .isEqualTo(
            """
            {"containerId":"c1","executionType":"opportunistic","applicationMaster":false,\
            "job":"job","requestedBytes":400,"expectedPeakBytes":400,"workingSetBytes":70,\
            "peakBytes":70,"runningSeconds":0.0}""");
    assertThat(json().get("stop").toString())
        .isEqualTo("{\"action\":\"none\",\"origin\":\"node\",\"frozen\":0,\"readMillis\":0}");
  }

  private OptionalInt masterWeight(String containerId) {
    return containerId.equals("best-effort-am") ? OptionalInt.of(10) : OptionalInt.empty();
  }

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void theWholeStateIsOneJsonDocument() throws Exception {
    NodeMemory memory = new NodeMemory(1000, 600);
    reporter.observed(Optional.of(memory));
    gate.processors(2, 1.25);
    gate.observed(memory, Map.of());
    ledger.started(ContainerInfos.master("am", 90));
    ledger.started(ContainerInfos.master("best-effort-am", 80));
    start(ContainerInfos.bestEffort("c1", 400));
    gate.request(ContainerInfos.bestEffort("c2", 300).launchRequest());
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.measured(Map.of("c1", WorkingSet.of(50)));
    nanos = 2_500_000_000L;
    gate.killedForMemory();
    metrics.launched().inc();
    metrics.shed().inc(2);

    assertThat(json())
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"mode":"enforce",
                     "node":{"boundary":"self","capacityBytes":1000,"availableBytes":600},
                     "snapshotBytes":200,
                     "runnablePerCore":1.25,
                     "placement":{"enforced":0,"untouched":0,"complete":true},
                     "launchesDelayedSeconds":5.0,
                     "queueLimit":5,
                     "counters":{"launched":1,"rejected":0,"shed":2,"handedBack":0,"killed":0,
                                 "preemptedByYarn":0,"toleratedFailures":0},
                     "running":[
                      {"containerId":"am","executionType":"guaranteed","applicationMaster":true,
                       "job":"job","requestedBytes":90,"workingSetBytes":0,"peakBytes":0},
                      {"containerId":"best-effort-am","executionType":"guaranteed",
                       "applicationMaster":true,"bestEffortMasterPercent":10,
                       "job":"job","requestedBytes":80,"workingSetBytes":0,"peakBytes":0},
                      {"containerId":"c1","executionType":"opportunistic",
                       "applicationMaster":false,"job":"job","requestedBytes":400,
                       "expectedPeakBytes":400,"workingSetBytes":50,"peakBytes":70,
                       "runningSeconds":2.5}],
                     "queued":[
                      {"containerId":"c2","job":"job","requestedBytes":300,"waitingSeconds":2.5,
                       "reason":"it needs more memory than is free now"}],
                     "decisions":[
                      {"time":"2026-01-02T03:04:05Z","containerId":"c1","outcome":"launched",
                       "reason":"the memory that is free now covers it","neededBytes":400,
                       "limitBytes":600},
                      {"time":"2026-01-02T03:04:05Z","containerId":"c2","outcome":"queued",
                       "reason":"it needs more memory than is free now","neededBytes":300,
                       "limitBytes":200}],
                     "killer":{"inCharge":"user-space",
                      "reason":"the kernel killer needs cgroups, and containers have none"},
                     "isolation":{"kind":"own","makers":[],"memoryLimit":"by Charon's own cgroups"},
                     "kills":[],
                     "regulators":[],
                     "reclaimed":[
                      {"resource":"memory","unit":"bytes","now":0.0,"free":830.0,"reclaimed":0.0},
                      {"resource":"cpu","unit":"cores","missing":"no reading yet"}],
                     "tick":{"ageSeconds":12.5},
                    "stop":{"action":"none","origin":"node","frozen":0,"readMillis":0}}
                    """));
  }

  @Test
  void aKillOfTheKernelIsShownWithAllThatExplainsIt() throws Exception {
    KernelDecision decision =
        new KernelDecision(
            7,
            1,
            1_000_000_000L,
            new KernelDecision.Trigger(
                20, KernelDecision.Series.FILE, 3_060_000_000L, 3_000_000_000L),
            new KernelDecision.Victim(
                10,
                500,
                VictimChoice.Policy.MEMORY_PER_TIME,
                List.of(new KernelDecision.Candidate(10, 500, 30_600, 1, 17))),
            new KernelDecision.Execution(
                3,
                OptionalLong.of(1_000_160_000L),
                Optional.of(new KernelDecision.Release(1_069_000_000L, 1_072_000_000L))));
    KernelKill kill =
        new KernelKill(
            decision,
            Map.of(10L, "c1", 20L, "/db.service"),
            List.of(new ContainerSample(900_000_000L, 5, 6, 70, true)));
    kills.add(new KillLog.Kill(NOW, "c1", KillLog.Killer.KERNEL, kill.reason(), Optional.of(kill)));
    kills.add(new KillLog.Kill(NOW, "c2", KillLog.Killer.LINUX_OOM, "why", Optional.empty()));

    assertThat(json().get("kills"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    [{"time":"2026-01-02T03:04:05Z","containerId":"c1","by":"kernel",
                      "reason":"kernel killer: /db.service had file thrash for 3.06 s, cgth_time 3.00 s",
                      "thrash":{"trigger":"/db.service","series":"file","seconds":3.06,
                       "cgthTimeSeconds":3.0,"policy":"memory-per-time","victimBytes":500,"signals":3,
                       "decisionToLastSignalMillis":0.16,"decisionToFreedMillis":69.0,
                       "decisionToGoneMillis":72.0,
                       "ranking":[{"container":"c1","memoryBytes":500,"ageSeconds":30.6,"score":1,
                                   "rank":17}],
                       "samples":[{"seconds":-0.1,"anonymousRefaults":5,"fileRefaults":6,
                                   "memoryBytes":70,"counted":true}]}},
                     {"time":"2026-01-02T03:04:05Z","containerId":"c2","by":"linux-oom","reason":"why"}]
                    """));
    assertThat(json().at("/kills/0/thrash").toString())
        .startsWith(
            """
            {"trigger":"/db.service","series":"file","seconds":3.06,"cgthTimeSeconds":3.0,\
            "policy":"memory-per-time","victimBytes":500,"signals":3,\
            "decisionToLastSignalMillis":0.16,"decisionToFreedMillis":69.0,\
            "decisionToGoneMillis":72.0,"ranking":[{""");
  }

  @Test
  void aLateTickIsReportedWithItsAge() throws Exception {
    late = Optional.of("the last complete tick was long ago");
    assertThat(json().get("tick").toString())
        .isEqualTo("{\"ageSeconds\":12.5,\"late\":\"the last complete tick was long ago\"}");
  }

  @Test
  void whatIsUnknownIsAbsent() throws Exception {
    reporter.observed(Optional.of(new NodeMemory(1000, 600)));
    reporter.observed(Optional.empty());

    assertThat(json().has("node")).isFalse();
  }

  @Test
  void whatIsObservedStandsBesideWhatProductionReservesAndUses() throws Exception {
    StatusReporter observing =
        withoutGate("observe", Optional.of(new LaunchObserver.Totals(60, 3, 12.5, 1, 2, 700)));
    ledger.started(ContainerInfos.production("p1", 500));
    ledger.started(ContainerInfos.bestEffort("c1", 5));
    ledger.measured(Map.of("p1", WorkingSet.of(200), "c1", WorkingSet.of(4)));

    JsonNode json = new ObjectMapper().readTree(observing.getJson());

    assertThat(json.get("mode").asText()).isEqualTo("observe");
    assertThat(json.get("observation").toString())
        .startsWith(
            """
            {"seconds":60.0,"productionReservedBytes":500,"productionUsedBytes":200,\
            "launchableBytes":700,"startedEarlier":3,"earlierSeconds":12.5,"heldBack":1,"killed":2,\
            """);
    assertThat(json.at("/observation/estimated").asText()).contains("process trees");
    assertThat(json.at("/observation/unavailable").asText()).contains("kernel killer");
  }

  @Test
  void aChangeToEnforceIsCompleteWhenNoEarlierContainerIsLeft() {
    placed.started("before", false);
    placed.started("after", true);
    assertThat(reporter.document().placement())
        .isEqualTo(new StatusDocument.Placement(1, 1, false));

    placed.ended("before");
    assertThat(reporter.document().placement()).isEqualTo(new StatusDocument.Placement(1, 0, true));
    assertThat(withoutGate("observe", Optional.empty()).document().placement().complete())
        .as("one still has what enforce gave it")
        .isFalse();
  }

  @Test
  void stockYarnHasNoSnapshotAndWhatWaitsForItIsListed() throws Exception {
    StatusReporter stock = withoutGate("off", Optional.empty());
    waitingForYarn = List.of(ContainerInfos.bestEffort("c2", 300));
    ledger.started(ContainerInfos.bestEffort("c1", 5));

    JsonNode json = new ObjectMapper().readTree(stock.getJson());

    assertThat(json.get("mode").asText()).isEqualTo("off");
    assertThat(json.has("snapshotBytes")).isFalse();
    assertThat(json.has("launchesDelayedSeconds")).isFalse();
    assertThat(json.get("queued").toString())
        .isEqualTo(
            """
            [{"containerId":"c2","job":"job","requestedBytes":300,\
            "reason":"stock YARN decides when it starts"}]""");
    assertThat(json.get("running").get(0).get("containerId").asText()).isEqualTo("c1");
    assertThat(json.get("running").get(0).has("expectedPeakBytes")).isFalse();
  }

  @Test
  void hostileNamesComeThroughUnchanged() throws Exception {
    String name = "\"},\\{\n\t\0\u2028 user=é 💥 </script>";
    ledger.started(
        new ContainerInfo(
            "c1",
            new Owner("alice", "application_1_0001"),
            ExecutionType.GUARANTEED,
            false,
            new JobKey(name),
            1,
            1));

    assertThat(json().get("running").get(0).get("job").asText()).isEqualTo(name);
    assertThat(reporter.getJson()).doesNotContain("\n", "\t", "\0");
  }

  @Test
  void theNodeManagersJmxPageShowsIt() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.charon:type=Status");
    reporter.register();
    reporter.register(); // a node that is restarted in the same process

    try {
      assertThat(server.getAttribute(name, "Json")).isEqualTo(reporter.getJson());
    } finally {
      reporter.unregister();
    }
    assertThat(server.isRegistered(name)).isFalse();
    reporter.unregister(); // tolerated
  }

  @Test
  void gaugesFollowTheGate() throws Exception {
    NodeMemory memory = new NodeMemory(1000, 600);
    metrics.start();
    assertThat(gauge("charon_node_capacity_bytes")).isEqualTo(0L);

    reporter.observed(Optional.of(memory));
    gate.processors(2, 1.25);
    gate.observed(memory, Map.of());
    start(ContainerInfos.bestEffort("c1", 400));
    gate.request(ContainerInfos.bestEffort("c2", 300).launchRequest());

    assertThat(gauge("charon_node_capacity_bytes")).isEqualTo(1000L);
    assertThat(gauge("charon_node_available_bytes")).isEqualTo(600L);
    assertThat(gauge("charon_memory_snapshot_bytes")).isEqualTo(200.0);
    assertThat(gauge("charon_runnable_threads_per_core")).isEqualTo(1.25);
    assertThat(gauge("charon_running_containers")).isEqualTo(1L);
    assertThat(gauge("charon_queued_containers")).isEqualTo(1L);
  }

  private void start(ContainerInfo container) {
    gate.request(container.launchRequest());
    ledger.started(container);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(reporter.getJson());
  }

  private static Object gauge(String name) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    var beans = server.queryNames(new ObjectName("charon:name=" + name + ",*"), null);
    return server.getAttribute(beans.iterator().next(), "Value");
  }

  private StatusReporter withoutGate(String mode, Optional<LaunchObserver.Totals> observation) {
    return new StatusReporter(
        new StatusSource(
            () -> TestSettings.of("mode", mode),
            new NodeMetrics(),
            new StatusSource.Containers(
                ledger, placed, () -> outside, () -> true, this::masterWeight),
            new StatusSource.Launches(
                Optional::empty, Optional::empty, () -> observation, () -> waitingForYarn),
            new StatusSource.Killers(Optional::empty, () -> false, new KillLog()),
            new StatusSource.Mechanisms(
                List::of, Optional::empty, StatusReporterTest::noFreeze, tick),
            Optional::empty,
            StopState::notStopped));
  }

  private static FreezeState noFreeze() {
    return new FreezeState(RegulatorMode.OFF, Optional.empty(), Map.of());
  }
}
