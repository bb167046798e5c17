/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.mechanisms.cpuburst.CpuBurstParts;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests from the files of cgroups to the values written into them, and back. */
class CpuPoolPartsTest {
  private static final String ONE = "container_1";
  private static final String TWO = "container_2";
  private static final List<String> NONE = List.of("100000", "-1", "0");
  private static final List<String> TWO_CORES = List.of("100000", "200000", "0");

  @TempDir private Path root;
  private final Counter failures = new Counter();
  private final Map<String, Integer> vcores = new TreeMap<>(Map.of(ONE, 2, TWO, 2));
  private FakeMachine machine;
  private CgroupLayout layout;
  private Path memory;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private SingleMechanism<PoolUse> parts;
  private Optional<SingleMechanism<ContainerBandwidths>> burst = Optional.empty();
  private long rounds;

  @BeforeEach
  void twoContainersOnEightProcessors() throws IOException {
    machine = FakeMachine.v1(root);
    machine.processors(8).file("cgroup/cpuset/charon/production/cpuset.effective_cpus", "0-7\n");
    layout = machine.detect("/charon");
    memory = root.resolve("recovery/pool.properties");
    for (String id : List.of(ONE, TWO)) {
      quota(id, "100000", "-1", "0");
      used(id, 0, 0);
      cpus(id, "0-7");
    }
    start(RegulatorMode.ENFORCE);
  }

  private static String cgroup(String id) {
    return "cgroup/cpu/charon/production/" + id;
  }

  private void quota(String id, String period, String quota, String burstMicros) {
    machine
        .file(cgroup(id) + "/cpu.cfs_period_us", period + "\n")
        .file(cgroup(id) + "/cpu.cfs_quota_us", quota + "\n")
        .file(cgroup(id) + "/cpu.cfs_burst_us", burstMicros + "\n");
  }

  private void used(String id, double seconds, long throttled) {
    machine
        .file(cgroup(id) + "/cpuacct.usage", Math.round(seconds * 1e9) + "\n")
        .file(cgroup(id) + "/cpu.stat", "nr_periods 9\nnr_throttled " + throttled + "\n");
  }

  private void cpus(String id, String list) {
    machine.file("cgroup/cpuset/charon/production/" + id + "/cpuset.effective_cpus", list + "\n");
  }

  private List<String> seen(String id) throws IOException {
    return List.of(
        machine.read(cgroup(id) + "/cpu.cfs_period_us"),
        machine.read(cgroup(id) + "/cpu.cfs_quota_us"),
        machine.read(cgroup(id) + "/cpu.cfs_burst_us"));
  }

  /** Starts a NodeManager; an earlier one, if any, has ended without cleaning up. */
  private void start(RegulatorMode mode) {
    parts =
        CpuPoolParts.of(
            new CpuPoolSettings(mode, OptionalDouble.of(0.45), Optional.of(memory)),
            Optional.of(layout),
            root.resolve("proc"),
            root.resolve("sys"),
            () -> vcores);
    Map<Limit, Actuator> actuators = new LinkedHashMap<>();
    actuators.putAll(parts.actuators());
    List<MechanismRunner.Entry> entries = new ArrayList<>();
    entries.add(new MechanismRunner.Entry(parts.mechanism(), mode));
    burst.ifPresent(
        known -> {
          actuators.putAll(known.actuators());
          entries.add(new MechanismRunner.Entry(known.mechanism(), RegulatorMode.ENFORCE));
        });
    executor =
        TestExecutor.of(
            Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)), failures, actuators);
    runner = new MechanismRunner(entries, executor);
    runner.start();
  }

  private void round() {
    long nanos = rounds++ * 5_000_000_000L;
    List<Reading> readings = new ArrayList<>();
    burst.flatMap(known -> known.read(nanos)).ifPresent(readings::add);
    parts.read(nanos).ifPresent(readings::add);
    runner.tick(new Snapshot(nanos, readings.toArray(Reading[]::new)));
  }

  private List<String> audit() throws IOException {
    Path file = root.resolve("audit/audit.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /**
   * Runs a round that sets the quotas, and a second one in which the first container is throttled.
   */
  private void raiseTheFirst() throws IOException {
    round();
    used(ONE, 1, 3);
    round();
    assertThat(seen(ONE)).containsExactly("100000", "240000", "0");
    assertThat(seen(TWO)).isEqualTo(TWO_CORES);
  }

  @Test
  void eachContainerHasItsVcoresAndAThrottledOneMore() throws IOException {
    raiseTheFirst();
    assertThat(audit())
        .hasSize(3)
        .last()
        .asString()
        .contains("\"cpu-pool\"", "\"raise\"", "\"container_1\"", "cpu.cfs_quota_us=240000")
        .contains("it was throttled at 2.00 cores; the pool uses 0.20 of 8 cores, threshold 45 %");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void aFullPoolHalvesAndNeverBelowTheVcores() throws IOException {
    raiseTheFirst();
    used(TWO, 25, 0); // five cores of eight
    round();
    assertThat(seen(ONE)).isEqualTo(TWO_CORES);
    assertThat(seen(TWO)).isEqualTo(TWO_CORES);
    used(ONE, 2, 9);
    used(TWO, 50, 9);
    round();
    assertThat(seen(ONE)).as("no room: no raise").isEqualTo(TWO_CORES);
    assertThat(audit()).last().asString().contains("\"halve\"", "the pool uses 5.00 of 8 cores");
  }

  @Test
  void aContainerWhoseCgroupsAreNotAllMadeYetKeepsNoOtherFromItsQuota() throws IOException {
    String starting = "container_3";
    vcores.put(starting, 2);
    quota(starting, "100000", "-1", "0");
    round();
    assertThat(seen(ONE)).isEqualTo(TWO_CORES);
    assertThat(seen(starting)).isEqualTo(NONE);
    used(starting, 0, 0);
    cpus(starting, "0-7");
    round();
    assertThat(seen(starting)).isEqualTo(TWO_CORES);
  }

  @Test
  void itReadsAndDecidesOnceARound() throws IOException {
    raiseTheFirst();
    used(ONE, 1, 5);
    assertThat(parts.read((rounds - 1) * 5_000_000_000L + 4_999_999_999L)).isEmpty();
    assertThat(parts.read(rounds * 5_000_000_000L)).isPresent();
  }

  @Test
  void aPinnedContainerIsNotInThePoolAndLosesItsRaise() throws IOException {
    raiseTheFirst();
    cpus(ONE, "0-3");
    used(TWO, 10, 0); // two cores, more than 45 % of the four that are left
    round();
    assertThat(seen(ONE)).isEqualTo(NONE);
    round();
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(runner.states().get(0).report().detail().orElseThrow())
        .isEqualTo(
            "1 containers share the pool, 0 with a raised quota; 1 have processors of their own");
    assertThat(Files.readString(memory)).doesNotContain(ONE).contains(TWO);
  }

  @Test
  void whatWasFoundIsPutBackWhenItStops() throws IOException {
    quota(TWO, "50000", "50000", "10000");
    round();
    assertThat(seen(ONE)).isEqualTo(TWO_CORES);
    used(TWO, 1, 1);
    round();
    assertThat(seen(TWO))
        .as("its own quota is where it begins")
        .containsExactly("50000", "60000", "10000");
    executor.use(Map.of());
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(seen(TWO)).containsExactly("50000", "50000", "10000");
    assertThat(memory).doesNotExist();
    assertThat(failures.getCount()).isZero();
  }

  /** The first NodeManager was killed, and the next one starts in mode off. */
  @Test
  void whatWasFoundIsPutBackAfterARestart() throws IOException {
    raiseTheFirst();
    start(RegulatorMode.OFF);
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(seen(TWO)).isEqualTo(NONE);
    round();
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(memory).doesNotExist();
  }

  /**
   * Killed between storing the original and writing the new quota: the previous quota is in force.
   */
  @Test
  void whatWasKeptAndNotYetWrittenIsPutBackToo() throws IOException {
    raiseTheFirst();
    quota(ONE, "100000", "200000", "0");
    start(RegulatorMode.OFF);
    assertThat(seen(ONE)).isEqualTo(NONE);
  }

  @Test
  void aForeignQuotaStaysAndBecomesTheOriginal() throws IOException {
    raiseTheFirst();
    quota(ONE, "100000", "100000", "0");
    used(ONE, 2, 9);
    round();
    assertThat(seen(ONE)).containsExactly("100000", "120000", "0");
    executor.use(Map.of());
    assertThat(seen(ONE)).containsExactly("100000", "100000", "0");

    start(RegulatorMode.ENFORCE);
    round();
    quota(TWO, "100000", "70000", "0");
    start(RegulatorMode.OFF);
    assertThat(seen(TWO)).as("set while nobody was there").containsExactly("100000", "70000", "0");
  }

  @Test
  void aContainerThatEndsLeavesNothing() throws IOException {
    raiseTheFirst();
    delete(machine.path(cgroup(ONE)));
    vcores.remove(ONE);
    used(TWO, 0, 4);
    round();
    assertThat(Files.readString(memory)).doesNotContain(ONE).contains(TWO);
    delete(machine.path(cgroup(TWO)));
    round();
    executor.use(Map.of());
    assertThat(memory).doesNotExist();
    assertThat(failures.getCount()).isZero();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void observingChangesNothingAndSaysWhatItWouldDoOnce() throws IOException {
    start(RegulatorMode.OBSERVE);
    round();
    round();
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(audit()).hasSize(2).allSatisfy(line -> assertThat(line).contains("observe"));
    assertThat(memory).doesNotExist();
  }

  /** Without a stored original value, no change is made, because it could not be undone. */
  @Test
  void whatCannotBeKeptIsNotChangedAndSaidOnce() throws IOException {
    Files.createDirectories(memory);
    round();
    round();
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(audit()).hasSize(2).first().asString().contains("is not a regular file");
    assertThat(failures.getCount()).isEqualTo(4);
  }

  /** The stored file names the cgroups to be written, so foreign ones must be ignored. */
  @Test
  void aForeignCgroupIsNotTouched() throws IOException {
    quota("../../other/container_9", "100000", "50000", "0");
    Files.createDirectories(memory.getParent());
    Files.writeString(
        memory,
        root.resolve("cgroup/cpu/other/container_9") + "=none 100000 0 none 50000/100000/0\n");
    start(RegulatorMode.ENFORCE);
    assertThat(seen("../../other/container_9")).containsExactly("100000", "50000", "0");
    assertThat(memory).doesNotExist();
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void aMemoryThatIsNoneIsSaidAndWrittenAnew() throws IOException {
    Files.createDirectories(memory.getParent());
    Files.writeString(memory, "/a=none 1\n");
    start(RegulatorMode.ENFORCE);
    assertThat(failures.getCount()).isEqualTo(1);
    round();
    assertThat(seen(ONE)).isEqualTo(TWO_CORES);
    assertThat(Files.readString(memory)).contains("none 100000 0 none 200000/100000/0");
  }

  /**
   * Both mechanisms write the same files: the pool sets the share, the bucket its quota and period.
   */
  @Test
  void aBucketFollowsTheQuotasOfThePoolAndBothAreUndone() throws IOException {
    burst =
        Optional.of(
            CpuBurstParts.of(
                new CpuBurstSettings(
                    RegulatorMode.ENFORCE, 10, Path.of("hadoop-yarn"), Optional.empty()),
                Optional.of(layout),
                vcores::keySet));
    start(RegulatorMode.ENFORCE);
    round();
    assertThat(seen(ONE)).isEqualTo(TWO_CORES);
    used(ONE, 1, 3);
    round(); // the bucket still uses the snapshot before the raise
    round();
    assertThat(seen(ONE)).containsExactly("500000", "1200000", "1200000");
    assertThat(seen(TWO)).containsExactly("500000", "1000000", "1000000");
    used(TWO, 25, 3);
    round();
    round();
    assertThat(seen(ONE)).containsExactly("500000", "1000000", "1000000");
    executor.use(Map.of());
    assertThat(seen(ONE)).isEqualTo(NONE);
    assertThat(seen(TWO)).isEqualTo(NONE);
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void withoutCgroupsTheCureIsSaid() {
    SingleMechanism<PoolUse> without =
        CpuPoolParts.of(
            new CpuPoolSettings(RegulatorMode.ENFORCE, OptionalDouble.empty(), Optional.empty()),
            Optional.empty(),
            root.resolve("proc"),
            root.resolve("sys"),
            () -> vcores);
    assertThat(without.mechanism().availability().missing()).contains(CgroupLayout.NONE);
    assertThat(without.actuator().unavailable()).contains(CgroupLayout.NONE);
    assertThat(without.read(0)).isEmpty();
  }
}
