/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.charon.core.cpuset.CorePlacement;
import io.charon.core.freeze.FreezeSettings;
import io.charon.core.kill.VictimChoice;
import io.charon.core.kill.VictimOrder;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.CpuQuotaSettings.Worse;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.law.WaterLine;
import io.charon.core.law.disklimit.ReadShare;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.SatisfactionRule;
import io.charon.core.law.reclaim.ReclaimScope;
import io.charon.core.law.reclaim.ReclaimSettings;
import io.charon.core.scheduler.BestEffortRule;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.StartLimit;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.config.CharonSettings.AuditSettings;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import io.charon.nodemanager.config.CharonSettings.RecordingSettings;
import io.charon.nodemanager.config.MemoryLimitSettings.PageCachePolicy;
import io.charon.nodemanager.config.RegulatorSettings.CpuLimit;
import io.charon.nodemanager.config.RegulatorSettings.CpuSignal;
import io.charon.nodemanager.config.RegulatorSettings.Link;
import io.charon.nodemanager.config.RegulatorSettings.NetworkLimit;
import io.charon.nodemanager.config.SchedulerSettings.LaunchEstimate;
import io.charon.nodemanager.config.SchedulerSettings.QueueDiscipline;
import io.charon.nodemanager.config.SettingsException.FormerNamesException;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class SettingsReaderTest {
  private static final String QUEUE_LIMIT =
      YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH;
  private static final String QUEUE_POLICY =
      YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_QUEUE_POLICY;

  @Test
  void defaultsAreThoseOfThePaper() {
    assertThat(TestSettings.of())
        .isEqualTo(
            new CharonSettings(
                Mode.ENFORCE,
                new SchedulerSettings(
                    new SchedulerSettings.Queue(
                        5,
                        QueueDiscipline.FAIR_APPLICATION,
                        Duration.ofDays(1),
                        Optional.of(Duration.ofMinutes(5))),
                    new SchedulerSettings.Launch(
                        LaunchEstimate.GROWTH,
                        1,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        new ProcessorLimits(new StartLimit(0, Duration.ofMillis(1500)), 3)),
                    new SchedulerSettings.Profile(
                        20, 95, Duration.ofDays(7), true, Optional.empty(), Optional.empty())),
                new CharonSettings.Sensors(Duration.ofSeconds(1), MemoryBoundary.HOST),
                new CharonSettings.Placement(
                    Optional.of("auto"),
                    Isolation.own(),
                    false,
                    Optional.empty(),
                    new ProcessSettings(-998, -999, true),
                    Optional.of(
                        new MasterSettings(
                            10, true, new BestEffortRule(Set.of("besteffort"), Set.of())))),
                new CharonSettings.Killers(
                    Optional.of(
                        new KernelKillerSettings(
                            java.nio.file.Path.of("/run/charon/ua-killer.sock"),
                            Duration.ofSeconds(3),
                            VictimChoice.Policy.MEMORY_PER_TIME,
                            Duration.ZERO,
                            List.of())),
                    10,
                    Duration.ofMillis(1),
                    true),
                new FreezeSettings(RegulatorMode.OFF, 15, 20, Duration.ofMinutes(1)),
                new RegulatorSettings(
                    new RegulatorSettings.Memory(
                        RegulatorMode.OFF, ReserveRegulator.memoryDefaults()),
                    new RegulatorSettings.Cpu(
                        RegulatorMode.OFF,
                        CpuSignal.AUTO,
                        CpuQuotaSettings.ofThePaper(
                            CpuQuotaSettings.defaults(), Worse.HIGHER, 0.1, 1024, 0.5),
                        CpuLimit.QUOTA),
                    new RegulatorSettings.Cores(
                        RegulatorMode.OFF,
                        new CoresSettings(false, 1, 0.5, Duration.ofSeconds(15))),
                    new RegulatorSettings.Network(
                        RegulatorMode.OFF,
                        ReserveRegulator.networkDefaults(),
                        new Link(Optional.empty(), OptionalDouble.empty(), NetworkLimit.RESERVE)),
                    new MemoryLimitSettings(
                        RegulatorMode.ENFORCE,
                        PageCachePolicy.RESERVED,
                        List.of(),
                        5,
                        OptionalInt.empty()),
                    List.of(
                        new DiskLimitSettings(RegulatorMode.OFF, new ReadShare(10)),
                        new ProcessLimitSettings(RegulatorMode.OFF, 0.1),
                        new CpuPoolSettings(
                            RegulatorMode.OFF, OptionalDouble.empty(), Optional.empty()),
                        new CpuBurstSettings(
                            RegulatorMode.OFF,
                            10,
                            java.nio.file.Path.of("hadoop-yarn"),
                            Optional.empty()),
                        new ProactiveReclaimSettings(
                            RegulatorMode.OFF,
                            new ReclaimSettings(
                                1,
                                Duration.ofSeconds(6),
                                0.1,
                                0.2,
                                Duration.ofHours(1),
                                100L << 20,
                                1 << 20,
                                ReclaimScope.NONE),
                            Optional.empty()),
                        new EvictionSettings(
                            new EvictionSettings.Line(
                                RegulatorMode.OFF, new MemoryLineRule(70, 68)),
                            new EvictionSettings.Pressure(RegulatorMode.OFF, 5, 80),
                            new EvictionSettings.Satisfaction(
                                RegulatorMode.OFF,
                                new SatisfactionRule.Settings(60, 80, 90, Duration.ofMinutes(1))),
                            VictimOrder.NEWEST,
                            new EvictionSettings.Grace(Duration.ZERO, Duration.ofSeconds(5))),
                        new ResctrlSettings(
                            java.nio.file.Path.of("/sys/fs/resctrl/charon"),
                            RegulatorMode.OFF,
                            new WaysAmount(2, false),
                            RegulatorMode.OFF,
                            OptionalInt.empty(),
                            OptionalDouble.empty())),
                    List.of(),
                    java.nio.file.Path.of("/usr/local/sbin/ua-killer")),
                new CharonSettings.Logs(Optional.empty(), Optional.empty())));
  }

  @Test
  void everyKeyIsRead() {
    CharonSettings settings =
        TestSettings.of(
            "mode", "threshold",
            "cgroup.every-mode.enabled", "true",
            "fail-fast", "true",
            "evict-line.mode", "enforce",
            "evict-line.line-percent", "90",
            "evict-line.lower-percent", "85",
            "evict-psi.mode", "enforce",
            "evict-psi.some-percent", "0.5",
            "evict-psi.used-percent", "95",
            "evict-satisfaction.mode", "observe",
            "evict-satisfaction.lower-percent", "50",
            "evict-satisfaction.upper-percent", "50",
            "evict-satisfaction.use-percent", "75",
            "evict-satisfaction.window-ms", "30000",
            "eviction.order", "largest",
            "eviction.memory-grace-ms", "200",
            "eviction.cpu-grace-ms", "0",
            "memory-limit.mode", "enforce",
            "memory-limit.page-cache", "none",
            "memory-limit.services", "/a.slice/*=all,/b=4096",
            "memory-limit.system-percent", "50",
            "memory-limit.dirty-percent", "12",
            "scheduler.queue-order", "fair-user",
            "scheduler.queue-aging-ms", "1000",
            "scheduler.max-wait-ms", "0",
            "scheduler.estimate", "growth",
            "scheduler.kills-per-hour", "0.01",
            "scheduler.resync-ms", "100",
            "scheduler.launch-backoff-ms", "0",
            "scheduler.starts-per-core", "1000",
            "scheduler.start-window-ms", "100",
            "scheduler.runnable-per-core", "1000",
            "scheduler.profile.window-samples", "1000",
            "scheduler.profile.percentile", "1",
            "scheduler.profile.half-life-ms", "60000",
            "scheduler.profile.application-names.enabled", "false",
            "scheduler.share-peaks.enabled", "false",
            "scheduler.share-peaks.period-ms", "1000",
            "node.tick-ms", "200",
            "node.memory-boundary", "cgroup",
            "cgroup.enabled", "true",
            "scheduler.profile.file", "/var/lib/charon/peaks.json",
            "cgroup.path", "/a/b",
            "cgroup.production-cpus", "0-3,8",
            "cgroup.best-effort-cpus", "4",
            "cgroup.best-effort-master-weight-percent", "20",
            "cgroup.best-effort-master-idle.enabled", "false",
            "killer.kernel.enabled", "true",
            "killer.socket", "/b",
            "killer.cgth-time-ms", "0",
            "killer.victim-policy", "score",
            "killer.watched-cgroups", "/a",
            "killer.threshold-percent", "0",
            "killer.poll-ms", "10000",
            "killer.report-as-preempted.enabled", "false",
            "freeze.mode", "observe",
            "freeze.threshold-percent", "90",
            "freeze.thaw-percent", "95",
            "freeze.timeout-ms", "1000",
            "regulator.foreground-cgroups", "/machine.slice/* , /a",
            "regulator.helper", "/opt/ua-killer",
            "regulator.memory.mode", "observe",
            "regulator.memory.window-ms", "1000",
            "regulator.memory.std-factor", "2.5",
            "regulator.cpu.mode", "enforce",
            "regulator.cpu.signal", "run-queue",
            "regulator.cpu.window-ms", "2000",
            "regulator.cpu.std-factor", "1.5",
            "regulator.cpu.minimum-cores", "0.01",
            "regulator.cpu.maximum-cores", "8",
            "regulator.cpu.start-cores", "2",
            "regulator.cpu.water-line-percent", "65",
            "regulator.cpu.limit", "cache-ways",
            "regulator.resctrl-group", "/r/g",
            "regulator.cores.mode", "enforce",
            "regulator.cores.follow-load.enabled", "true",
            "regulator.cores.minimum-cores", "2",
            "regulator.cores.headroom-cores", "0",
            "regulator.cores.window-ms", "4000",
            "regulator.cores.placement", "pack",
            "regulator.network.mode", "observe",
            "regulator.network.limit", "give-way",
            "regulator.network.window-ms", "3000",
            "regulator.network.std-factor", "0",
            "regulator.network.device", "eth0.5",
            "regulator.network.link-mbit", "2.5",
            "killer.production-oom-score-adj", "-1000",
            "killer.master-oom-score-adj", "0",
            "cpu-burst.mode", "enforce",
            "cpu-burst.factor", "20",
            "cache-ways.amount", "30%",
            "memory-bandwidth.mode", "enforce",
            "memory-bandwidth.limit", "40%",
            "memory-bandwidth.peak-mbps", "5000",
            "cpu-pool.mode", "enforce",
            "cpu-pool.high-percent", "60",
            "proactive-reclaim.mode", "enforce",
            "proactive-reclaim.production", "all",
            "proactive-reclaim.percent", "2.5",
            "proactive-reclaim.period-ms", "1000",
            "proactive-reclaim.waited-percent", "1",
            "proactive-reclaim.promoted-percent", "0",
            "proactive-reclaim.hold-ms", "0",
            "proactive-reclaim.minimum-mb", "0",
            "proactive-reclaim.swap-kb-per-second", "0",
            "disk-limit.mode", "enforce",
            "disk-limit.share-percent", "35",
            "process-limit.mode", "enforce",
            "process-limit.reserve-percent", "33",
            "audit.directory", "/var/log/charon",
            "audit.size-mb", "1");

    assertThat(settings)
        .isEqualTo(
            new CharonSettings(
                Mode.THRESHOLD,
                new SchedulerSettings(
                    new SchedulerSettings.Queue(
                        5, QueueDiscipline.FAIR_USER, Duration.ofSeconds(1), Optional.empty()),
                    new SchedulerSettings.Launch(
                        LaunchEstimate.GROWTH,
                        0.01,
                        Duration.ofMillis(100),
                        Duration.ZERO,
                        new ProcessorLimits(new StartLimit(1000, Duration.ofMillis(100)), 1000)),
                    new SchedulerSettings.Profile(
                        1000,
                        1,
                        Duration.ofMinutes(1),
                        false,
                        Optional.of(java.nio.file.Path.of("/var/lib/charon/peaks.json")),
                        Optional.empty())),
                new CharonSettings.Sensors(Duration.ofMillis(200), MemoryBoundary.CGROUP),
                new CharonSettings.Placement(
                    Optional.of("/a/b"),
                    Isolation.own(),
                    true,
                    Optional.of(new CpuSplit("0-3,8", "4")),
                    new ProcessSettings(-1000, 0, true),
                    Optional.empty()), // a baseline treats all ApplicationMasters alike
                new CharonSettings.Killers(
                    Optional.of(
                        new KernelKillerSettings(
                            java.nio.file.Path.of("/b"),
                            Duration.ZERO,
                            VictimChoice.Policy.SCORE,
                            Duration.ZERO,
                            List.of("/a"))),
                    0,
                    Duration.ofSeconds(10),
                    false),
                new FreezeSettings(RegulatorMode.OBSERVE, 90, 95, Duration.ofSeconds(1)),
                new RegulatorSettings(
                    new RegulatorSettings.Memory(
                        RegulatorMode.OBSERVE, new RangeSettings(Duration.ofSeconds(1), 2.5)),
                    new RegulatorSettings.Cpu(
                        RegulatorMode.ENFORCE,
                        CpuSignal.RUN_QUEUE,
                        CpuQuotaSettings.ofThePaper(
                            new RangeSettings(Duration.ofSeconds(2), 1.5),
                            Worse.HIGHER,
                            0.01,
                            8,
                            2),
                        CpuLimit.CACHE_WAYS),
                    new RegulatorSettings.Cores(
                        RegulatorMode.ENFORCE,
                        new CoresSettings(
                            true,
                            2,
                            0,
                            Duration.ofSeconds(4),
                            Optional.of(new WaterLine(65)),
                            CorePlacement.PACK)),
                    new RegulatorSettings.Network(
                        RegulatorMode.OBSERVE,
                        new RangeSettings(Duration.ofSeconds(3), 0),
                        new Link(
                            Optional.of("eth0.5"),
                            OptionalDouble.of(312_500),
                            NetworkLimit.GIVE_WAY)),
                    new MemoryLimitSettings(
                        RegulatorMode.OFF,
                        PageCachePolicy.NONE,
                        List.of(
                            new MemoryLimitSettings.Service("/a.slice/*", Long.MAX_VALUE),
                            new MemoryLimitSettings.Service("/b", 4096)),
                        50,
                        OptionalInt.of(12)),
                    List.of(
                        new DiskLimitSettings(
                            RegulatorMode.OFF, // a baseline does not limit reads
                            new ReadShare(35)),
                        new ProcessLimitSettings(
                            RegulatorMode.OFF, // a baseline does not limit processes
                            0.33),
                        new CpuPoolSettings(
                            RegulatorMode.OFF, // a baseline has no quotas of the pool
                            OptionalDouble.of(0.6),
                            Optional.empty()),
                        new CpuBurstSettings(
                            RegulatorMode.OFF, // a baseline has no CPU burst
                            20,
                            java.nio.file.Path.of("hadoop-yarn"),
                            Optional.empty()),
                        new ProactiveReclaimSettings(
                            RegulatorMode.OFF,
                            new ReclaimSettings(
                                2.5,
                                Duration.ofSeconds(1),
                                1,
                                0,
                                Duration.ZERO,
                                0,
                                0,
                                ReclaimScope.ALL),
                            Optional.empty()),
                        new EvictionSettings( // a baseline does not evict
                            new EvictionSettings.Line(
                                RegulatorMode.OFF, new MemoryLineRule(90, 85)),
                            new EvictionSettings.Pressure(RegulatorMode.OFF, 0.5, 95),
                            new EvictionSettings.Satisfaction(
                                RegulatorMode.OFF,
                                new SatisfactionRule.Settings(50, 50, 75, Duration.ofSeconds(30))),
                            VictimOrder.LARGEST,
                            new EvictionSettings.Grace(Duration.ofMillis(200), Duration.ZERO)),
                        new ResctrlSettings(
                            java.nio.file.Path.of("/r/g"),
                            RegulatorMode.OFF,
                            new WaysAmount(30, true),
                            RegulatorMode.OFF,
                            OptionalInt.of(40),
                            OptionalDouble.of(5e9))),
                    List.of("/machine.slice/*", "/a"),
                    java.nio.file.Path.of("/opt/ua-killer")),
                new CharonSettings.Logs(
                    Optional.of(
                        new AuditSettings(java.nio.file.Path.of("/var/log/charon"), 1 << 20)),
                    Optional.empty())));
  }

  @ParameterizedTest
  @CsvSource({
    "enforce, enforce, true, ENFORCE",
    "enforce, observe, true, OBSERVE",
    "observe, enforce, true, OBSERVE",
    "observe, off, true, OFF",
    "threshold, enforce, true, OFF",
    "off, enforce, true, OFF",
    "enforce, enforce, false, OFF"
  })
  void theLowerModeOfNodeAndMemoryLimitCounts(
      String node, String limit, String cgroups, RegulatorMode expected) {
    assertThat(
            TestSettings.of("mode", node, "memory-limit.mode", limit, "cgroup.enabled", cgroups)
                .regulators()
                .memoryLimit()
                .mode())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "/a=", "/a=-1", "/a=some", "a=all", "/../a=all", "/a=1,"})
  void aServiceHasACgroupAndARight(String services) {
    assertThatThrownBy(() -> TestSettings.of("memory-limit.services", services))
        .hasMessageContaining("memory-limit.services")
        .hasMessageContaining("bytes or all");
  }

  @Test
  void withoutConfigurationTheModeIsObserve() {
    assertThat(readable(new Configuration(false)).mode()).isEqualTo(Mode.OBSERVE);
  }

  @ParameterizedTest
  @CsvSource({"charon, enforce", "kuber, threshold"})
  void aFormerNameOfAModeIsRefusedWithTheNewOne(String former, String name) {
    assertThatThrownBy(() -> TestSettings.read(TestSettings.configuration("mode", former)))
        .isInstanceOf(FormerNamesException.class)
        .hasMessage(
            "yarn.nodemanager.charon.mode (value '%s') has a value that is now named %s:"
                    .formatted(former, name)
                + " set that value instead");
  }

  @ParameterizedTest
  @CsvSource({
    "off, enforce, OFF",
    "observe, enforce, OBSERVE",
    "observe, off, OFF",
    "enforce, observe, OBSERVE",
    "enforce, enforce, ENFORCE",
    "threshold, enforce, ENFORCE"
  })
  void aRegulatorDoesNoMoreThanANodeThatDoesNotAct(
      String node, String regulator, RegulatorMode expected) {
    RegulatorSettings regulators =
        TestSettings.of(
                "mode", node,
                "cgroup.every-mode.enabled", "true",
                "regulator.memory.mode", regulator,
                "regulator.cpu.mode", regulator,
                "regulator.cores.mode", regulator,
                "regulator.network.mode", regulator)
            .regulators();

    assertThat(
            List.of(
                regulators.memory().mode(),
                regulators.cpu().mode(),
                regulators.cores().mode(),
                regulators.network().mode()))
        .containsOnly(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "off", "threshold"})
  void onlyModeEnforceLowersTheWeightOfApplicationMasters(String mode) {
    assertThat(TestSettings.of("mode", mode).placement().masters()).isEmpty();
  }

  @Test
  void theWeightOfApplicationMastersIsLoweredByCgroupsAndOnlyIfItIsLower() {
    assertThat(TestSettings.of("cgroup.enabled", "false").placement().masters()).isEmpty();
    assertThat(
            TestSettings.of("cgroup.best-effort-master-weight-percent", "100")
                .placement()
                .masters())
        .isEmpty();
    assertThat(TestSettings.of().placement().masters()).isPresent();
    Configuration nobodyIsBestEffort = TestSettings.configuration();
    nobodyIsBestEffort.unset("yarn.resourcemanager.charon.best-effort.enabled");
    assertThat(readable(nobodyIsBestEffort).placement().masters()).isEmpty();
  }

  @Test
  void bestEffortIsDeterminedAsOnTheResourceManager() throws SettingsException {
    Configuration configuration =
        TestSettings.configuration(
            "cgroup.best-effort-master-weight-percent", "25",
            "cgroup.best-effort-master-idle.enabled", "false");
    configuration.set("yarn.resourcemanager.charon.best-effort.tags", ",");
    configuration.set("yarn.resourcemanager.charon.best-effort.queues", "root.batch, nightly");

    MasterSettings masters = TestSettings.read(configuration).placement().masters().orElseThrow();

    assertThat(masters)
        .isEqualTo(
            new MasterSettings(
                25, false, new BestEffortRule(Set.of(), Set.of("root.batch", "nightly"))));
    assertThat(masters.isBestEffort(Set.of(), "root.batch")).isTrue();
    assertThat(masters.isBestEffort(Set.of(), "batch")).as("reported by its leaf").isTrue();
    assertThat(masters.isBestEffort(Set.of(), "root.other.batch")).isFalse();
    assertThat(masters.isBestEffort(Set.of(), "root.a.nightly")).isTrue();
    assertThat(masters.isBestEffort(Set.of("besteffort"), "root.default")).isFalse();
  }

  @Test
  void aRecordingBeginsWithTheValuesOfAllKeys() {
    RecordingSettings recording =
        TestSettings.of(
                "recording.directory", "/var/lib/charon/recording",
                "recording.size-mb", "2",
                "scheduler.launch-backoff-ms", "7")
            .logs()
            .recording()
            .orElseThrow();
    assertThat(recording.directory()).isEqualTo(java.nio.file.Path.of("/var/lib/charon/recording"));
    assertThat(recording.mostBytes()).isEqualTo(2 << 20);
    assertThat(recording.keys())
        .containsEntry(SettingsReader.PREFIX + "scheduler.launch-backoff-ms", "7")
        .containsEntry(SettingsReader.PREFIX + "scheduler.resync-ms", "5000");
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "mode", "threshold", "recording.directory", "/var/lib/charon/recording")))
        .hasMessageContaining("mode to be enforce or observe");
  }

  @Test
  void aWindowInWhichARegulatorWouldNeverLearnIsRefusedWithBothKeys() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "node.tick-ms", "10000",
                        "regulator.memory.mode", "observe",
                        "regulator.network.mode", "observe",
                        "regulator.cores.mode", "observe",
                        "regulator.cores.follow-load.enabled", "true")))
        .hasMessageContaining(
            "network.window-ms is '30000'; it must be at least 5 times"
                + " yarn.nodemanager.charon.node.tick-ms (10000)")
        .hasMessageContaining("cores.window-ms is '15000'; it must be at least 5 times")
        .message()
        .doesNotContain("memory.window-ms", "cpu.window-ms");
  }

  @Test
  void wrongRegulatorAndAuditSettingsAreNamed() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "regulator.memory.mode", "on",
                        "regulator.foreground-cgroups", "/a,/../b",
                        "regulator.cpu.minimum-cores", "2",
                        "regulator.cpu.signal", "ipc",
                        "regulator.memory.window-ms", "999",
                        "regulator.memory.std-factor", "NaN",
                        "regulator.cpu.limit", "cat",
                        "regulator.cpu.water-line-percent", "101",
                        "regulator.resctrl-group", "charon",
                        "regulator.cores.follow-load.enabled", "yes",
                        "regulator.cores.minimum-cores", "0",
                        "regulator.cores.headroom-cores", "-1",
                        "regulator.cores.window-ms", "999",
                        "regulator.cores.placement", "numa",
                        "regulator.network.device", "../eth0",
                        "regulator.network.link-mbit", "0",
                        "regulator.helper", "ua-killer",
                        "scheduler.profile.file", "peaks",
                        "scheduler.profile.half-life-ms", "59999",
                        "scheduler.share-peaks.period-ms", "999",
                        "audit.directory", "/",
                        "audit.size-mb", "0")))
        .hasMessageContaining("network.device is '../eth0'; it must be auto, or the name")
        .hasMessageContaining("network.link-mbit is '0'; it must be a number from 1.0 to")
        .hasMessageContaining("regulator.helper is 'ua-killer'; it must be the absolute path")
        .hasMessageContaining("cpu.limit is 'cat'; it must be one of quota, cache-ways")
        .hasMessageContaining(
            "resctrl-group is 'charon'; it must be the absolute path of a resctrl")
        .hasMessageContaining("cores.follow-load.enabled is 'yes'; it must be true or false")
        .hasMessageContaining(
            "cores.minimum-cores is '0'; it must be a whole number from 1 to 1024")
        .hasMessageContaining(
            "cpu.water-line-percent is '101'; it must be a whole number from 0 to 100")
        .hasMessageContaining("cores.headroom-cores is '-1'")
        .hasMessageContaining("cores.window-ms is '999'")
        .hasMessageContaining("cores.placement is 'numa'; it must be one of spread, pack")
        .hasMessageContaining("memory.mode is 'on'; it must be one of off, observe, enforce")
        .hasMessageContaining("foreground-cgroups is '/a,/../b'; it must be none, or a list")
        .hasMessageContaining("cpu.start-cores is '0.5'; it must be from yarn.nodemanager.charon")
        .hasMessageContaining("cpu.minimum-cores (2.0) to")
        .hasMessageContaining(
            "cpu.signal is 'ipc'; it must be one of auto, instructions, pressure, run-queue")
        .hasMessageContaining("memory.window-ms is '999'")
        .hasMessageContaining("memory.std-factor is 'NaN'; it must be a number from 0.0 to 100.0")
        .hasMessageContaining(
            "audit.directory is '/'; it must be none, or the absolute path of a d")
        .hasMessageContaining(
            "profile.file is 'peaks'; it must be none, or the absolute path of a f")
        .hasMessageContaining(
            "profile.half-life-ms is '59999'; it must be 0, or a whole number from")
        .hasMessageContaining("share-peaks.period-ms is '999'; it must be a whole number from 1000")
        .hasMessageContaining("audit.size-mb is '0'");
  }

  @Test
  void withoutASignalTheWaterLineDecides() {
    assertThat(
            TestSettings.of(
                    "regulator.cpu.mode", "enforce",
                    "regulator.cpu.signal", "none",
                    "regulator.cpu.water-line-percent", "65")
                .regulators()
                .cpu()
                .healthMode())
        .isEqualTo(RegulatorMode.OFF);
    assertThatThrownBy(() -> TestSettings.of("regulator.cpu.signal", "none"))
        .hasMessageContaining("cpu.signal is 'none', which needs yarn.nodemanager.charon.regulator")
        .hasMessageContaining("cpu.water-line-percent");
  }

  @Test
  void regulatorsThatTellContainersApartNeedCgroups() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "cgroup.enabled", "false",
                        "regulator.cpu.mode", "enforce",
                        "regulator.network.mode", "enforce",
                        "regulator.foreground-cgroups", "/db")))
        .hasMessageContaining("regulator.cpu.mode needs yarn.nodemanager.charon.cgroup.enabled")
        .hasMessageContaining("regulator.network.mode needs")
        .hasMessageContaining("regulator.foreground-cgroups needs");
    assertThat(
            TestSettings.of("cgroup.enabled", "false", "regulator.memory.mode", "enforce")
                .regulators()
                .memory()
                .mode())
        .isEqualTo(RegulatorMode.ENFORCE);
  }

  @Test
  void theKernelKillerIsUsedAsConfigured() {
    assertThat(
            TestSettings.of(
                    "killer.socket", "/sys/fs/bpf",
                    "killer.cgth-time-ms", "600000",
                    "killer.victim-policy", "score",
                    "killer.owed-time-ms", "120000",
                    "killer.watched-cgroups", "/db , /system.slice/postgresql*.service")
                .killers()
                .kernel())
        .contains(
            new KernelKillerSettings(
                java.nio.file.Path.of("/sys/fs/bpf"),
                Duration.ofMinutes(10),
                VictimChoice.Policy.SCORE,
                Duration.ofMinutes(2),
                List.of("/db", "/system.slice/postgresql*.service")));
    assertThat(TestSettings.of("killer.kernel.enabled", "false").killers().kernel()).isEmpty();
    assertThat(TestSettings.of("cgroup.enabled", "false").killers().kernel()).isEmpty();
    assertThat(TestSettings.of("mode", "threshold").killers().kernel()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"db", "/", "/a/", "/a//b", "/a/../b", "/..", "/.", "/a,", "/[a", "/{a"})
  void aWatchedCgroupMustBeAPathThatStaysInside(String pattern) {
    assertThatThrownBy(
            () -> TestSettings.read(TestSettings.configuration("killer.watched-cgroups", pattern)))
        .hasMessageContaining("killer.watched-cgroups is '" + pattern + "'")
        .hasMessageContaining("none, or a list of cgroups");
  }

  @Test
  void theSocketMustBeAnAbsolutePath() {
    assertThatThrownBy(
            () -> TestSettings.read(TestSettings.configuration("killer.socket", "run/charon")))
        .hasMessageContaining("killer.socket is 'run/charon'; it must be the absolute path");
  }

  /** A key that is read with a default that the file lacks would be an undocumented key. */
  @Test
  void theSiteFileDocumentsExactlyTheKeysThatAreRead() {
    Set<String> asked = new TreeSet<>();
    Configuration recording =
        new Configuration(TestSettings.configuration()) {
          @Override
          public String getTrimmed(String name, String defaultValue) {
            asked.add(name);
            return super.getTrimmed(name, defaultValue);
          }
        };

    readable(recording);
    asked.removeIf(key -> !key.startsWith(SettingsReader.PREFIX));
    Map<String, String> keys = siteFile().getPropsWithPrefix(SettingsReader.PREFIX);
    assertThat(keys.keySet().stream().map(SettingsReader.PREFIX::concat))
        .containsExactlyInAnyOrderElementsOf(asked);
  }

  @Test
  void aDefaultWrittenOutChangesNothing() {
    Configuration written = siteFile();
    written.setInt(QUEUE_LIMIT, 5);
    written.set(SettingsReader.MODE, "enforce");
    written.set("yarn.resourcemanager.charon.best-effort.enabled", "true");

    assertThat(readable(written)).isEqualTo(TestSettings.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode | Enforce | one of off, observe, enforce, threshold",
        "mode | '' | one of off, observe, enforce, threshold",
        "fail-fast | yes | true or false",
        "scheduler.queue-order | lifo | one of fifo, fair-application, fair-user",
        "scheduler.queue-aging-ms | 999 | a whole number from 1000 to 86400000",
        "scheduler.resync-ms | 99 | a whole number from 100 to 600000",
        "scheduler.resync-ms | 600001 | a whole number from 100 to 600000",
        "scheduler.resync-ms | 5s | a whole number from 100 to 600000",
        "scheduler.launch-backoff-ms | -1 | a whole number from 0 to 600000",
        "scheduler.estimate | peaks | one of peak, growth",
        "scheduler.kills-per-hour | 0 | a number from 0.01 to 1000.0",
        "scheduler.starts-per-core | -0.5 | a number from 0.0 to 1000.0",
        "scheduler.starts-per-core | 1001 | a number from 0.0 to 1000.0",
        "scheduler.runnable-per-core | -1 | a number from 0.0 to 1000.0",
        "scheduler.runnable-per-core | 1001 | a number from 0.0 to 1000.0",
        "scheduler.start-window-ms | 99 | a whole number from 100 to 600000",
        "scheduler.profile.window-samples | 2 | a whole number from 3 to 1000",
        "scheduler.profile.percentile | 101 | a whole number from 1 to 100",
        "scheduler.profile.percentile | 99.9 | a whole number from 1 to 100",
        "node.tick-ms | 99 | a whole number from 100 to 60000",
        "node.tick-ms | 99999999999999999999 | a whole number from 100 to 60000",
        "node.memory-boundary | guest | one of host, self, cgroup",
        "cgroup.enabled | 1 | true or false",
        "cgroup.path | charon | an absolute cgroup path",
        "cgroup.path | / | an absolute cgroup path",
        "cgroup.path | /yarn/../system | an absolute cgroup path",
        "cgroup.best-effort-master-weight-percent | 0 | a whole number from 1 to 100",
        "cgroup.best-effort-master-weight-percent | 101 | a whole number from 1 to 100",
        "cgroup.best-effort-master-weight-percent | low | a whole number from 1 to 100",
        "killer.threshold-percent | 91 | a whole number from 0 to 90",
        "killer.threshold-percent | 10% | a whole number from 0 to 90",
        "killer.owed-time-ms | 1 | 0, or a whole number from 100 to 600000",
        "killer.owed-time-ms | 99 | 0, or a whole number from 100 to 600000",
        "killer.owed-time-ms | 600001 | a whole number from 0 to 600000",
        "killer.poll-ms | 0 | a whole number from 1 to 10000",
        "killer.report-as-preempted.enabled | TRUE | true or false",
      })
  void aWrongValueIsNamedWithItsKeyAndWhatIsAllowed(String key, String value, String allowed) {
    assertThatThrownBy(() -> TestSettings.read(TestSettings.configuration(key, value)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(SettingsReader.PREFIX + key + " is '" + value + "'")
        .hasMessageContaining(allowed)
        .hasMessageNotContaining("; yarn."); // no second problem caused by the first
  }

  @Test
  void allProblemsComeInOneMessage() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "mode", "mercury",
                        "node.tick-ms", "1",
                        "cgroup.best-effort-cpus", "x",
                        "cgroup.production-cpus", "1,",
                        "node.color", "red")))
        .hasMessageContaining("'mercury'")
        .hasMessageContaining("'1'")
        .hasMessageContaining("'x'")
        .hasMessageContaining("'1,'")
        .hasMessageContaining("'red'");
  }

  @ParameterizedTest
  @CsvSource({
    "scheduler.resynch-ms, scheduler.resync-ms",
    "schedular.launch-backoff-ms, scheduler.launch-backoff-ms",
    "tick-ms, node.tick-ms",
    "cgroup.enable, cgroup.enabled",
  })
  void anUnknownKeySuggestsTheNearestOne(String unknown, String nearest) {
    assertThatThrownBy(() -> TestSettings.read(TestSettings.configuration(unknown, "7")))
        .hasMessage(
            SettingsReader.PREFIX
                + unknown
                + " (value '7') is not a key of Charon; did you mean "
                + SettingsReader.PREFIX
                + nearest
                + "?");
  }

  @ParameterizedTest
  @CsvSource({
    "pause.mode, freeze.mode",
    "regulator.cpu-mode, regulator.cpu.mode",
    "scheduler.share-peaks, scheduler.share-peaks.enabled",
  })
  void aRenamedKeyIsRefusedWithItsNewName(String former, String now) {
    assertThatThrownBy(() -> TestSettings.read(TestSettings.configuration(former, "enforce")))
        .hasMessage(
            SettingsReader.PREFIX
                + former
                + " (value 'enforce') is now named "
                + SettingsReader.PREFIX
                + now
                + ": set that key instead");
  }

  @ParameterizedTest
  @CsvSource({"production, best-effort", "best-effort, production"})
  void cpusAreSplitForBothSidesOrNone(String given, String missing) {
    assertThatThrownBy(
            () -> TestSettings.read(TestSettings.configuration("cgroup." + given + "-cpus", "0-1")))
        .hasMessageContaining("cgroup." + missing + "-cpus is 'all'")
        .hasMessageContaining("both lists or none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-", "-1", "0-3-5", "0, 1", "3-1", "0,7-6", "ALL", "", "123456"})
  void aCpuListMustBeOne(String list) {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "cgroup.production-cpus", list, "cgroup.best-effort-cpus", "0")))
        .hasMessageContaining("cgroup.production-cpus is '" + list + "'")
        .hasMessageContaining("all, or a list of CPUs such as 0-3,8");
  }

  @Test
  void whatNeedsCgroupsIsRefusedWithoutThem() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "cgroup.enabled", "false",
                        "node.memory-boundary", "cgroup",
                        "cgroup.production-cpus", "0",
                        "cgroup.best-effort-cpus", "1")))
        .hasMessageContaining("node.memory-boundary is cgroup")
        .hasMessageContaining("cgroup.production-cpus needs");
  }

  @Test
  void withoutCgroupsTheirPathIsNotLookedAt() {
    assertThat(
            TestSettings.of("cgroup.enabled", "false", "cgroup.path", "?").placement().cgroupPath())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-3"})
  void aQueueWithoutRoomIsRefusedUnlessStockYarnDecides(String limit) {
    Configuration configuration = TestSettings.configuration();
    configuration.set(QUEUE_LIMIT, limit);

    assertThatThrownBy(() -> TestSettings.read(configuration))
        .hasMessageContaining(QUEUE_LIMIT + " is '" + limit + "'")
        .hasMessageContaining("1 or more")
        .hasMessageContaining(YarnConfiguration.NM_CONTAINER_QUEUING_MIN_QUEUE_LENGTH)
        .hasMessageContaining(YarnConfiguration.NM_CONTAINER_QUEUING_MAX_QUEUE_LENGTH);

    configuration.set(SettingsReader.PREFIX + "mode", "off");
    assertThat(readable(configuration).scheduler().queue().limit())
        .isEqualTo(Integer.parseInt(limit));
  }

  @Test
  void yarnsDefaultQueueLimitIsRefused() {
    Configuration enforces = new Configuration(false);
    enforces.set(SettingsReader.MODE, "enforce");
    assertThatThrownBy(() -> TestSettings.read(enforces))
        .hasMessageContaining(QUEUE_LIMIT + " is '0'");
  }

  @Test
  void aQueueLimitThatIsNoNumberIsNamed() {
    Configuration configuration = TestSettings.configuration();
    configuration.set(QUEUE_LIMIT, "five");

    assertThatThrownBy(() -> TestSettings.read(configuration))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(QUEUE_LIMIT + " is 'five'; it must be a whole number");
  }

  @Test
  void aQueueLimitByResourcesIsRefusedUnlessStockYarnDecides() {
    Configuration configuration = TestSettings.configuration();
    configuration.set(QUEUE_POLICY, "BY_RESOURCES");

    assertThatThrownBy(() -> TestSettings.read(configuration))
        .hasMessageContaining(QUEUE_POLICY + " is 'BY_RESOURCES'; it must be BY_QUEUE_LEN");

    configuration.set(SettingsReader.PREFIX + "mode", "off");
    assertThat(readable(configuration).mode()).isEqualTo(Mode.OFF);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, false", "maybe, false", "' true ', true"})
  void failFastGoesWithTheProblems(String value, boolean failFast) {
    SettingsException problem =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                TestSettings.read(
                    TestSettings.configuration("fail-fast", value, "node.tick-ms", "0")));

    assertThat(problem.failFast()).isEqualTo(failFast);
  }

  @ParameterizedTest
  @CsvSource({
    "9, 20, threshold-percent is '9'; it must be at least killer.threshold-percent (10)",
    "15, 15, thaw-percent is '15'; it must be more than freeze.threshold-percent (15)"
  })
  void freezeComesBeforeTheKillAndEndsAboveWhereItBegan(
      String threshold, String resume, String problem) {
    assertThat(TestSettings.of("freeze.threshold-percent", threshold).freeze().mode())
        .isEqualTo(RegulatorMode.OFF);
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "freeze.mode", "enforce",
                        "freeze.threshold-percent", threshold,
                        "freeze.thaw-percent", resume)))
        .hasMessageContaining("yarn.nodemanager.charon.freeze." + problem);
  }

  @Test
  void freezeNeedsCgroups() {
    assertThatThrownBy(
            () ->
                TestSettings.read(
                    TestSettings.configuration(
                        "freeze.mode", "enforce", "cgroup.enabled", "false")))
        .hasMessageContaining(
            "freeze.mode needs yarn.nodemanager.charon.cgroup.enabled to be true");
  }

  @Test
  void startingWithoutCharonIsTheDefault() {
    assertThat(SettingsReader.failFast(new Configuration(false))).isFalse();
    assertThat(siteFile().get(SettingsReader.FAIL_FAST)).isEqualTo("false");
  }

  private static Configuration siteFile() {
    Configuration configuration = new Configuration(false);
    configuration.addResource(new Path(new File("../conf/charon-site.xml").toURI()));
    return configuration;
  }

  private static CharonSettings readable(Configuration configuration) {
    try {
      return TestSettings.read(configuration);
    } catch (SettingsException e) {
      throw new AssertionError(e);
    }
  }
}
