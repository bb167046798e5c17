/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.cpuset.Cores;
import io.charon.core.law.Cause;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.Decision;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.Observation;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.Regulator;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.mechanisms.cpuset.BestEffortCpuset;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a node of 1000 bytes with five ticks of a second per window and c = 2. */
class MechanismRunnerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  @TempDir private Path directory;

  private final Counter failures = new Counter();
  private final List<String> calls = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private long nanos;

  /** An actuator that records its calls and fails on request. */
  private final class FakeActuator implements Actuator {
    private final String name;
    private Optional<String> unavailable = Optional.empty();
    private Optional<Exception> failure = Optional.empty();
    private boolean holds = true;

    FakeActuator(String name) {
      this.name = name;
    }

    @Override
    public Optional<String> unavailable() {
      return unavailable;
    }

    @Override
    public String apply(Action.SetLimit wanted) throws IOException {
      fail();
      String amount =
          wanted.cores().map(Cores::toString).orElseGet(() -> "" + (long) wanted.amount());
      calls.add(name + " " + amount);
      return name + "=" + amount;
    }

    @Override
    public boolean holds() {
      return holds;
    }

    @Override
    public void undo() throws IOException {
      fail();
      calls.add("undo " + name);
    }

    private void fail() throws IOException {
      if (failure.isPresent()) {
        if (failure.get() instanceof IOException e) {
          throw e;
        }
        throw (RuntimeException) failure.get();
      }
    }
  }

  private final FakeActuator memory = new FakeActuator("memory");
  private final FakeActuator network = new FakeActuator("network");
  private final FakeActuator cpuset = new FakeActuator("cpuset.cpus");
  private final List<String> killed = new ArrayList<>();
  private final DyingContainers dying = new DyingContainers(() -> nanos, () -> {});
  private BestEffortTasks tasks = new BestEffortTasks(List.of());
  private ActionExecutor executor;

  private static RegulatedLimit mechanism(
      String name, Limit limit, Function<NodeReading, ResourceUse> use, Regulator law) {
    return mechanism(name, limit, use, law, CheckedAvailability.fixed(Availability.available()));
  }

  private static RegulatedLimit mechanism(
      String name,
      Limit limit,
      Function<NodeReading, ResourceUse> use,
      Regulator law,
      CheckedAvailability sensor) {
    return new RegulatedLimit(
        new RegulatedLimit.Subject(
            name,
            limit,
            "bytes",
            "a signal",
            "bytes",
            use,
            seen -> use.apply(seen).foreground(),
            Optional.empty()),
        law,
        sensor);
  }

  private static MechanismRunner.Entry memory(RegulatorMode mode) {
    return new MechanismRunner.Entry(
        mechanism("memory", Limit.MEMORY, NodeReading::memory, reserve()), mode);
  }

  private static MechanismRunner.Entry network(RegulatorMode mode) {
    return new MechanismRunner.Entry(
        mechanism("network", Limit.TRAFFIC, NodeReading::network, reserve()), mode);
  }

  private static Regulator reserve() {
    return new ReserveRegulator(new RangeSettings(Duration.ofSeconds(5), 2));
  }

  private MechanismRunner runner(RegulatorMode memoryMode, RegulatorMode networkMode) {
    return runner(directory, memory(memoryMode), network(networkMode));
  }

  private MechanismRunner runner(Path audit, MechanismRunner.Entry... entries) {
    executor =
        new ActionExecutor(
            dying,
            (mechanism, id, reason) -> killed.add(mechanism + " " + id + ": " + reason),
            ContainerControl.of(Optional.empty(), killed::add),
            Audit.direct(Optional.of(new AuditLog(audit, 1 << 20)), CLOCK, failures),
            failures,
            System::nanoTime);
    executor.use(Map.of(Limit.MEMORY, memory, Limit.TRAFFIC, network, Limit.CPUS, cpuset));
    MechanismRunner runner = new MechanismRunner(List.of(entries), executor, checks::add);
    runner.start();
    calls.clear();
    return runner;
  }

  private static Measurement measurement(Number value) {
    return value == null ? Measurement.missing("it hides") : Measurement.of(value.doubleValue());
  }

  private void tick(MechanismRunner runner, Integer memoryUse, Integer networkUse) {
    nanos += SECOND;
    Measurement missing = Measurement.missing("not asked for");
    runner.tick(
        new Snapshot(
            nanos,
            tasks,
            new NodeReading(
                nanos,
                "the node minus best-effort",
                new ResourceUse(measurement(memoryUse), measurement(50), measurement(1000)),
                missingCpu(),
                CoreUse.missing("not asked for"),
                new ResourceUse(measurement(networkUse), measurement(60), measurement(100)),
                new NodeReading.Health(missing, missing, missing),
                missing)));
  }

  private static ResourceUse missingCpu() {
    return ResourceUse.missing("not asked for");
  }

  private List<JsonNode> audit() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("audit.jsonl"))) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  private List<String> results() throws IOException {
    return audit().stream()
        .map(
            line ->
                "%s %s %d: %s"
                    .formatted(
                        line.path("regulator").asText(),
                        line.path("action").asText(),
                        line.path("limit").asLong(),
                        line.path("result").asText()))
        .toList();
  }

  @Test
  void observingSaysEverythingAndDoesNothing() throws IOException {
    MechanismRunner runner = runner(RegulatorMode.OBSERVE, RegulatorMode.OFF);
    for (int second = 0; second < 20; second++) {
      tick(runner, 300, 0);
    }
    tick(runner, 400, 0);
    tick(runner, null, 0);
    assertThat(calls).isEmpty();
    assertThat(results())
        .containsExactly(
            "memory keep 0: not applied: observe",
            "memory widen 700: not applied: observe",
            "memory keep 700: not applied: observe",
            "memory tighten 600: not applied: observe",
            "memory keep 600: not applied: observe");
    assertThat(audit().get(1))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"time":"2026-01-02T03:04:05Z","regulator":"memory","mode":"observe",
                     "foreground":"the node minus best-effort",
                     "inputs":{"foreground":300.0,"capacity":1000.0,"bestEffort":50.0},
                     "limit":700.0,"action":"widen","target":"best-effort",
                     "result":"not applied: observe",
                     "reason":"a window is full: its mean and standard deviation apply from now on; \
                    measured 300.000"}
                    """));
    assertThat(runner.states().get(1).report().cause()).isEmpty();
  }

  @Test
  void enforceWritesExactlyTheLimitsThatTheAuditOfObserveHolds() throws IOException {
    Map<String, List<String>> intended = replay("observe", RegulatorMode.OBSERVE);
    assertThat(calls).isEmpty();
    assertThat(replay("enforce", RegulatorMode.ENFORCE)).isEqualTo(intended);
    assertThat(intended).containsOnlyKeys("memory", "network");
    intended.forEach(
        (name, lines) ->
            assertThat(changes(calls.stream().filter(call -> call.startsWith(name + " "))))
                .hasSizeGreaterThan(10)
                .isEqualTo(changes(lines.stream().map(line -> line.replaceAll(" .* ", " ")))));
  }

  /** Replays five minutes and returns the audited decisions of each mechanism. */
  private Map<String, List<String>> replay(String name, RegulatorMode mode) throws IOException {
    nanos = 0;
    MechanismRunner runner =
        runner(Files.createDirectory(directory.resolve(name)), memory(mode), network(mode));
    Random random = new Random(7);
    for (int second = 0; second < 300; second++) {
      boolean readable = random.nextInt(20) > 0;
      int load = second / 10 % 20 + random.nextInt(5);
      tick(runner, readable ? 200 + 10 * load : null, 20 + load);
    }
    Map<String, List<String>> decisions = new TreeMap<>();
    for (String text : Files.readAllLines(directory.resolve(name).resolve("audit.jsonl"))) {
      JsonNode line = new ObjectMapper().readTree(text);
      String mechanism = line.path("regulator").asText();
      decisions
          .computeIfAbsent(mechanism, none -> new ArrayList<>())
          .add(
              "%s %s %d"
                  .formatted(mechanism, line.path("action").asText(), line.path("limit").asLong()));
    }
    return decisions;
  }

  /** Returns the values without those that are equal to the one before. */
  private static List<String> changes(Stream<String> values) {
    List<String> changes = new ArrayList<>();
    values
        .filter(value -> changes.isEmpty() || !changes.get(changes.size() - 1).equals(value))
        .forEach(changes::add);
    return changes;
  }

  @Test
  void whatTakesComesBeforeWhatGivesAndNothingIsSetTwice() throws IOException {
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE);
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 30);
    }
    assertThat(calls).containsExactly("memory 0", "network 0", "memory 700", "network 70");
    calls.clear();
    for (int second = 0; second < 4; second++) {
      tick(runner, 200, 30);
    }
    // In this tick memory widens in its new phase, and the network tightens because of its
    // violation.
    tick(runner, 200, 40);
    assertThat(calls).containsExactly("network 60", "memory 800");
    assertThat(results().get(results().size() - 1))
        .isEqualTo("memory widen 800: applied: memory=800");
  }

  @Test
  void aLimitIsSetAgainNowAndThenBecauseOthersMayHaveChangedIt() {
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 26; second++) {
      tick(runner, 300, 0);
    }
    assertThat(calls).containsExactly("memory 0", "memory 700", "memory 700", "memory 700");
  }

  /** For example, the process that enforced it has exited. */
  @Test
  void aLimitThatIsNotKeptAsItWasSetIsSetAgainAtOnce() {
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 0);
    }
    calls.clear();
    tick(runner, 300, 0);
    assertThat(calls).isEmpty();
    memory.holds = false;
    tick(runner, 300, 0);
    assertThat(calls).containsExactly("memory 700");
  }

  @Test
  void oneThatFailsIsTriedAgainAndTheOthersGoOn() throws IOException {
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE);
    memory.failure = Optional.of(new IOException("cannot write x"));
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 30);
    }
    assertThat(calls).containsExactly("network 0", "network 70");
    assertThat(failures.getCount()).isEqualTo(6);
    assertThat(results())
        .contains(
            "memory keep 0: failed: cannot write x", "memory widen 700: failed: cannot write x");
    memory.failure = Optional.of(new IllegalStateException());
    tick(runner, 300, 30);
    assertThat(runner.states().get(0).result())
        .isEqualTo("failed: java.lang.IllegalStateException");
    memory.failure = Optional.empty();
    tick(runner, 300, 30);
    assertThat(calls).containsExactly("network 0", "network 70", "memory 700");
    assertThat(results()).contains("memory keep 700: applied: memory=700");
  }

  /** Runs a tick with four cores, to some of which the foreground is pinned. */
  private void tick(MechanismRunner runner, String pinned) {
    nanos += SECOND / 2;
    runner.tick(new Snapshot(nanos, fourCores(1, pinned, Map.of())));
  }

  private NodeReading fourCores(double foregroundCores, String pinned, Map<Integer, Double> busy) {
    Measurement missing = Measurement.missing("not asked for");
    Cores all = Cores.parse("0-3");
    return new NodeReading(
        nanos,
        "the node minus best-effort",
        missingCpu(),
        new ResourceUse(Measurement.of(foregroundCores), Measurement.of(0.5), Measurement.of(4)),
        new CoreUse(all, all, Optional.of(Cores.parse(pinned)), busy, Optional.empty()),
        missingCpu(),
        new NodeReading.Health(missing, missing, missing),
        missing);
  }

  @Test
  void coresAreSetWhenTheyMoveAndNotOnlyWhenTheirNumberChanges() throws IOException {
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                BestEffortCpuset.of(
                    new CoresSettings(false, 1, 0.5, Duration.ofSeconds(5)),
                    Optional.of(Cores.parse("0-2,9")),
                    Availability.available()),
                RegulatorMode.ENFORCE));
    tick(runner, "");
    tick(runner, "");
    tick(runner, "0");
    tick(runner, "1"); // as many as before, but different ones
    tick(runner, "");
    tick(runner, "");
    tick(runner, "0-3");
    assertThat(calls)
        .containsExactly(
            "cpuset.cpus 0-2",
            "cpuset.cpus 1-2",
            "cpuset.cpus 0,2",
            "cpuset.cpus 0-2",
            "cpuset.cpus 0");
    assertThat(results())
        .containsExactly(
            "cores widen 3: applied: cpuset.cpus=0-2",
            "cores tighten 2: applied: cpuset.cpus=1-2",
            "cores tighten 2: applied: cpuset.cpus=0,2",
            "cores widen 3: applied: cpuset.cpus=0-2",
            "cores tighten 1: applied: cpuset.cpus=0");
    assertThat(audit().get(4))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"time":"2026-01-02T03:04:05Z","regulator":"cores","mode":"enforce",
                     "foreground":"the node minus best-effort",
                     "inputs":{"foreground":4.0,"capacity":3.0,"bestEffort":0.5,"pinned":4.0},
                     "limit":1.0,"action":"tighten","target":"best-effort",
                     "result":"applied: cpuset.cpus=0",
                     "reason":"the foreground is pinned to all other cores: best-effort keeps its \
                    minimum; measured 4.00000; cores 0 of 0-2, pinned 0-3"}
                    """));
  }

  /** Runs a tick with four cores; the foreground is pinned to the last one and uses all of it. */
  private void tick(MechanismRunner runner, double foregroundCores) {
    nanos += SECOND;
    runner.tick(new Snapshot(nanos, fourCores(foregroundCores, "3", Map.of(3, 1.0))));
  }

  @Test
  void coresFollowTheLoadOfCoresWithoutPinnedContainers() {
    RegulatedLimit cores =
        BestEffortCpuset.of(
            new CoresSettings(true, 1, 0.5, Duration.ofSeconds(5)),
            Optional.empty(),
            Availability.available());
    MechanismRunner runner =
        runner(directory, new MechanismRunner.Entry(cores, RegulatorMode.OBSERVE));
    for (int second = 0; second < 6; second++) {
      tick(runner, 1.25);
    }
    // Three cores are free, and 0.25 of them are used: the room is 2.25, of which 0.5 is kept back.
    assertThat(cores.decision().orElseThrow().observation().value()).hasValue(0.25);
    assertThat(cores.decision().orElseThrow().limit()).isEqualTo(1);
    for (int second = 0; second < 5; second++) {
      tick(runner, 1);
    }
    assertThat(cores.decision().orElseThrow().reason())
        .isEqualTo(
            "best-effort leaves the cores that the foreground is using; measured 0.00000,"
                + " mean 0.00000; cores 0-1 of 0-3, pinned 3");
  }

  @Test
  void wideningsAreAtLeastASecondApart() throws IOException {
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                mechanism("memory", Limit.MEMORY, NodeReading::memory, new WideningLaw()),
                RegulatorMode.ENFORCE));
    for (int tick = 0; tick < 12; tick++) {
      nanos -= SECOND - SECOND / 4;
      tick(runner, 1, 0);
    }
    assertThat(calls).containsExactly("memory 1", "memory 2", "memory 6", "memory 10");
  }

  /** A law that gives one more byte at each tick. */
  private static final class WideningLaw implements Regulator {
    private double limit;

    @Override
    public Decision decide(Observation observation) {
      limit++;
      return new Decision(
          Change.WIDEN, limit, Cause.INSIDE, observation, Optional.empty(), Optional.empty());
    }
  }

  @Test
  void whereNothingWasEverMeasuredNothingIsDone() {
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 9; second++) {
      tick(runner, null, 0);
    }
    assertThat(calls).isEmpty();
    MechanismRunner.State state = runner.states().get(0);
    assertThat(state.result()).isEqualTo("not applied: no measurement yet");
    assertThat(state.unavailable()).contains("it hides");
    tick(runner, 300, 0);
    assertThat(calls).containsExactly("memory 0");
    assertThat(runner.states().get(0).unavailable()).isEmpty();
  }

  /** Enforcing would not set it, so observing must not say that it would. */
  @Test
  void whereNothingWasEverMeasuredNothingIsIntended() throws IOException {
    MechanismRunner runner = runner(RegulatorMode.OBSERVE, RegulatorMode.OFF);
    tick(runner, null, 0);
    assertThat(results()).containsExactly("memory keep 0: not applied: no measurement yet");
  }

  @Test
  void whatThisMachineCannotDoIsSaidAndObserved() throws IOException {
    memory.unavailable = Optional.of("no such file: mount it");
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 0);
    }
    assertThat(calls).isEmpty();
    assertThat(runner.states().get(0).unavailable()).contains("no such file: mount it");
    assertThat(results()).contains("memory widen 700: not applied: no such file: mount it");
  }

  /** For example, the helper's self-test was slow on a machine that was still booting. */
  @Test
  void aLimitThatCouldNotBeSetAtTheStartIsSetOnceItCan() {
    memory.unavailable = Optional.of("no answer within 2000 ms");
    MechanismRunner runner = runner(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    seconds(runner, 61);
    assertThat(checks).as("after a minute, and not by the tick").hasSize(1);
    runChecks();
    assertThat(runner.states().get(0).unavailable()).contains("no answer within 2000 ms");
    memory.unavailable = Optional.empty();
    seconds(runner, 60);
    assertThat(calls).isEmpty();
    runChecks();
    seconds(runner, 60);
    assertThat(calls).startsWith("memory 700");
    assertThat(runner.states().get(0).unavailable()).isEmpty();
    assertThat(checks).as("nothing is missing any more").isEmpty();
  }

  @Test
  void aMechanismWithoutReadingsAtTheStartDecidesOnceItHasThem() {
    AtomicReference<Availability> device =
        new AtomicReference<>(Availability.missing("no device: plug it in"));
    network.unavailable = Optional.of("no helper: install it");
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                mechanism(
                    "network",
                    Limit.TRAFFIC,
                    NodeReading::network,
                    reserve(),
                    CheckedAvailability.of(device::get)),
                RegulatorMode.ENFORCE));
    seconds(runner, 61);
    assertThat(runner.states().get(0).unavailable()).contains("no device: plug it in");
    assertThat(runner.states().get(0).report().cause()).isEmpty();
    device.set(Availability.available());
    runChecks();
    assertThat(runner.states().get(0).unavailable()).contains("no helper: install it");
    network.unavailable = Optional.empty();
    seconds(runner, 60);
    assertThat(runner.states().get(0).report().cause()).isPresent();
    assertThat(calls).isEmpty();
    runChecks();
    seconds(runner, 1);
    assertThat(calls).containsExactly("network 70");
  }

  @Test
  void aMechanismThatIsOffIsNotChecked() {
    memory.unavailable = Optional.of("no such file: mount it");
    MechanismRunner runner = runner(RegulatorMode.OFF, RegulatorMode.OBSERVE);
    seconds(runner, 200);
    assertThat(checks).isEmpty();
  }

  private void seconds(MechanismRunner runner, int number) {
    for (int second = 0; second < number; second++) {
      tick(runner, 300, 30);
    }
  }

  private void runChecks() {
    checks.forEach(Runnable::run);
    checks.clear();
  }

  private static BestEffortTasks.Task task(String id, long bytes, boolean dying) {
    return new BestEffortTasks.Task(id, bytes, dying);
  }

  /** Runs six seconds, after which 700 bytes are left beside the foreground. */
  private MechanismRunner withTasks(RegulatorMode mode, BestEffortTasks.Task... running) {
    tasks = new BestEffortTasks(List.of());
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                new MemoryReserve(new RangeSettings(Duration.ofSeconds(5), 2)), mode));
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 0);
    }
    tasks = new BestEffortTasks(List.of(running));
    return runner;
  }

  @Test
  void everyKillIsAttributedCarriedOutAndALineOfItsOwn() throws IOException {
    MechanismRunner runner =
        withTasks(
            RegulatorMode.ENFORCE,
            task("container_6", 600, false),
            task("container_7", 200, false));
    tick(runner, 300, 0);
    String reason =
        "memory regulator: best-effort holds 0 MiB, the foreground's reserve leaves"
            + " 0 MiB; this container holds 0 MiB";
    assertThat(killed).containsExactly("memory container_7: " + reason, "container_7");
    assertThat(dying.contains("container_7")).isTrue();
    JsonNode line = audit().get(3);
    assertThat(line.path("target").asText()).isEqualTo("container_7");
    assertThat(line.path("action").asText()).isEqualTo("kill");
    assertThat(line.path("result").asText()).isEqualTo("applied: killed");
    assertThat(line.path("reason").asText()).isEqualTo(reason);
  }

  @Test
  void aSecondKillIsRefusedAndNotAttributed() throws IOException {
    MechanismRunner runner = withTasks(RegulatorMode.ENFORCE, task("container_7", 800, false));
    dying.add("container_7"); // killed by another killer after the reading
    tick(runner, 300, 0);
    assertThat(killed).isEmpty();
    assertThat(audit().get(3).path("result").asText())
        .startsWith("not applied: the container is being killed");
  }

  @Test
  void anIntendedKillIsReportedOnce() throws IOException {
    MechanismRunner runner = withTasks(RegulatorMode.OBSERVE, task("container_7", 800, false));
    for (int second = 0; second < 5; second++) {
      tick(runner, 300, 0);
    }
    assertThat(killed).isEmpty();
    assertThat(results()).filteredOn(line -> line.contains("kill")).hasSize(1);
  }

  @Test
  void ofSeveralMechanismsWithOneLimitTheStrictestBinds() throws IOException {
    MechanismRunner runner =
        runner(
            directory,
            memory(RegulatorMode.ENFORCE),
            new MechanismRunner.Entry(
                mechanism("other", Limit.MEMORY, NodeReading::network, reserve()),
                RegulatorMode.ENFORCE),
            new MechanismRunner.Entry(
                mechanism("observer", Limit.MEMORY, NodeReading::network, reserve()),
                RegulatorMode.OBSERVE));
    for (int second = 0; second < 7; second++) {
      tick(runner, 300, 30);
    }
    // One law allows 1000 - 300, the other 100 - 30.
    assertThat(calls).containsExactly("memory 0", "memory 70");
    assertThat(runner.states().get(0).result()).isEqualTo("not applied: other sets a lower limit");
    assertThat(runner.states().get(1).result()).isEqualTo("applied: memory=70");
    assertThat(runner.states().get(2).result()).isEqualTo("not applied: observe");
  }

  /** A mechanism that decides the same each time. */
  private record Fixed(String name, Duration period, List<Action> decide) implements Mechanism {
    @Override
    public Availability availability() {
      return Availability.available();
    }

    @Override
    public Set<Class<? extends Reading>> needs() {
      return Set.of(NodeReading.class);
    }

    @Override
    public Set<Limit> limits() {
      return Set.of();
    }

    @Override
    public List<Action> decide(Snapshot seen) {
      return decide;
    }

    @Override
    public MechanismReport report() {
      return new MechanismReport(
          "nothing", Optional.empty(), List.of(), Optional.empty(), Optional.empty());
    }
  }

  private static Basis basis(double limit) {
    return new Basis("the node", Map.of(), limit, "a rule", "a reason");
  }

  private static Action.SetLimit bytes(double limit) {
    return new Action.SetLimit(
        Limit.MEMORY, 1000, Optional.empty(), Change.KEEP, true, basis(limit));
  }

  private MechanismRunner fastAndSlow(RegulatorMode slow) {
    return runner(
        directory,
        new MechanismRunner.Entry(
            new Fixed("fast", Duration.ZERO, List.of(bytes(100))), RegulatorMode.ENFORCE),
        new MechanismRunner.Entry(
            new Fixed("slow", Duration.ofSeconds(10), List.of(bytes(40))), slow));
  }

  @Test
  void whatASlowOneAllowsHoldsUntilItDecidesAgain() {
    MechanismRunner runner = fastAndSlow(RegulatorMode.ENFORCE);
    for (int second = 0; second < 9; second++) {
      tick(runner, 300, 30);
    }
    assertThat(calls).containsExactly("memory 40");
    assertThat(runner.states().get(0).result()).isEqualTo("not applied: slow sets a lower limit");
  }

  /** Its last values would otherwise be shown as those of now. */
  @Test
  void aMechanismWithoutReadingsForThreePeriodsIsOutdatedUntilItDecidesAgain() {
    MechanismRunner runner = fastAndSlow(RegulatorMode.OBSERVE);
    tick(runner, 300, 30);
    tickWithoutReadings(runner, 2);
    assertThat(outdated(runner)).containsExactly("", "");
    tickWithoutReadings(runner, 1);
    assertThat(outdated(runner)).containsExactly("its readings could not be taken for 3 s", "");
    assertThat(runner.states().get(0).result()).isEqualTo("applied: memory=100");
    tickWithoutReadings(runner, 26);
    assertThat(outdated(runner)).last().isEqualTo("");
    tickWithoutReadings(runner, 1);
    assertThat(outdated(runner)).last().isEqualTo("its readings could not be taken for 30 s");
    tick(runner, 300, 30);
    assertThat(outdated(runner)).containsExactly("", "");
  }

  private void tickWithoutReadings(MechanismRunner runner, int seconds) {
    for (int second = 0; second < seconds; second++) {
      nanos += SECOND;
      runner.tick(new Snapshot(nanos));
    }
  }

  private static List<String> outdated(MechanismRunner runner) {
    return runner.states().stream().map(state -> state.outdated().orElse("")).toList();
  }

  @Test
  void containersAreActedOnToo() throws IOException {
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                new Fixed(
                    "killer",
                    Duration.ZERO,
                    List.of(
                        new Action.Kill("container_7", List.of(), basis(1)),
                        new Action.Freeze("container_8", basis(1)))),
                RegulatorMode.ENFORCE));
    tick(runner, 300, 30);
    assertThat(killed).containsExactly("killer container_7: a reason", "container_7");
    assertThat(results()).hasSize(2).first().isEqualTo("killer kill 1: applied: killed");
    assertThat(results().get(1))
        .startsWith("killer freeze 1: failed: java.io.IOException: containers have no cgroups");
  }

  @Test
  void oneThatCannotDecideStopsNoOther() {
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                mechanism(
                    "broken",
                    Limit.TRAFFIC,
                    NodeReading::network,
                    observation -> {
                      throw new IllegalStateException("a bug");
                    }),
                RegulatorMode.ENFORCE),
            memory(RegulatorMode.ENFORCE));
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 30);
    }
    assertThat(calls).containsExactly("memory 0", "memory 700");
    assertThat(failures.getCount()).isEqualTo(6);
  }

  @Test
  void movesWithinASecondAreOneLine() throws IOException {
    MechanismRunner runner =
        runner(
            directory,
            new MechanismRunner.Entry(
                mechanism("memory", Limit.MEMORY, NodeReading::memory, new WideningLaw()),
                RegulatorMode.OBSERVE));
    for (int tick = 0; tick < 12; tick++) {
      nanos -= SECOND - SECOND / 4;
      tick(runner, 1, 0);
    }
    assertThat(results())
        .containsExactly(
            "memory widen 1: not applied: observe",
            "memory widen 4: not applied: observe",
            "memory widen 5: not applied: observe",
            "memory widen 8: not applied: observe",
            "memory widen 9: not applied: observe");
    executor.close();
    JsonNode inputs = audit().get(5).path("inputs");
    assertThat(inputs.path("moves").asInt()).isEqualTo(3);
    assertThat(inputs.path("lowest").asInt()).isEqualTo(10);
    assertThat(inputs.path("highest").asInt()).isEqualTo(12);
  }

  @Test
  void leftoversOfAnEarlierLifeGoAtTheStartAndEverythingAtTheEnd() {
    executor =
        new ActionExecutor(
            dying,
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), killed::add),
            Audit.direct(Optional.empty(), CLOCK, failures),
            failures,
            System::nanoTime);
    executor.use(Map.of(Limit.MEMORY, memory));
    assertThat(calls).containsExactly("undo memory");
    Map<Limit, Actuator> fresh = new LinkedHashMap<>();
    fresh.put(Limit.CPUS, cpuset);
    fresh.put(Limit.TRAFFIC, network);
    executor.use(fresh);
    assertThat(calls)
        .containsExactly("undo memory", "undo memory", "undo cpuset.cpus", "undo network");
    cpuset.failure = Optional.of(new IOException("it is stuck; by hand: pull"));
    executor.close();
    assertThat(calls).hasSize(5).endsWith("undo network");
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void anAuditThatCannotBeWrittenIsCountedAndTheRegulatorGoesOn() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    MechanismRunner runner = runner(file, memory(RegulatorMode.ENFORCE));
    for (int second = 0; second < 6; second++) {
      tick(runner, 300, 0);
    }
    assertThat(failures.getCount()).isEqualTo(2);
    assertThat(calls).containsExactly("memory 0", "memory 700");
  }
}
