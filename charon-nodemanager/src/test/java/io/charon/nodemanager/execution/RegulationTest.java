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
import io.charon.core.law.Action;
import io.charon.core.law.Cause;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.Decision;
import io.charon.core.law.MemoryRegulator;
import io.charon.core.law.Observation;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.Regulator;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.sensor.CoreUse;
import io.charon.nodemanager.sensor.Measurement;
import io.charon.nodemanager.sensor.NodeSnapshot;
import io.charon.nodemanager.sensor.ResourceUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of 1000 bytes, five ticks of a second to a window, c = 2. */
class RegulationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  @TempDir private Path directory;

  private final Counter failures = new Counter();
  private final List<String> calls = new ArrayList<>();
  private long nanos;

  /** Writes its calls down, and fails when told. */
  private final class FakeActuator implements LimitActuator {
    private final String name;
    private Optional<String> unavailable = Optional.empty();
    private Optional<Exception> failure = Optional.empty();
    private List<Effect> effects = List.of();

    FakeActuator(String name) {
      this.name = name;
    }

    @Override
    public Optional<String> unavailable() {
      return unavailable;
    }

    @Override
    public String apply(double limit) throws IOException {
      fail();
      calls.add(name + " " + (long) limit);
      return name + "=" + (long) limit;
    }

    @Override
    public List<Effect> takeBack(Decision decision) {
      return effects;
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

  private static NodeRegulator regulator(Resource resource, RegulatorMode mode, Actuator actuator) {
    return new NodeRegulator(
        resource,
        mode,
        new MemoryRegulator(new RangeSettings(Duration.ofSeconds(5), 2)),
        actuator,
        Optional.empty());
  }

  private Regulation regulation(RegulatorMode memoryMode, RegulatorMode networkMode) {
    return regulation(directory, memoryMode, networkMode);
  }

  private Regulation regulation(Path audit, RegulatorMode memoryMode, RegulatorMode networkMode) {
    Regulation regulation =
        new Regulation(
            List.of(
                regulator(Resource.memory(), memoryMode, memory),
                regulator(Resource.network(), networkMode, network)),
            Optional.of(new AuditLog(audit, 1 << 20)),
            failures,
            CLOCK);
    regulation.start();
    calls.clear();
    return regulation;
  }

  private static Measurement measurement(Number value) {
    return value == null ? Measurement.missing("it hides") : Measurement.of(value.doubleValue());
  }

  private void tick(Regulation regulation, Integer memoryUse, Integer networkUse) {
    nanos += SECOND;
    Measurement missing = Measurement.missing("not asked for");
    regulation.tick(
        new NodeSnapshot(
            nanos,
            "the node minus best-effort",
            new ResourceUse(measurement(memoryUse), measurement(50), measurement(1000)),
            missingCpu(),
            CoreUse.missing("not asked for"),
            new ResourceUse(measurement(networkUse), measurement(60), measurement(100)),
            missing,
            missing,
            missing,
            missing));
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
    Regulation regulation = regulation(RegulatorMode.OBSERVE, RegulatorMode.OFF);
    for (int second = 0; second < 20; second++) {
      tick(regulation, 300, 0);
    }
    tick(regulation, 400, 0);
    tick(regulation, null, 0);
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
                     "reason":"a window is full, its mean and standard deviation hold from now on; \
                    measured 300.000"}
                    """));
    NodeRegulator.State off = regulation.states().get(1);
    assertThat(off.decision()).isEmpty();
  }

  @Test
  void whatTakesComesBeforeWhatGivesAndNothingIsSetTwice() throws IOException {
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE);
    for (int second = 0; second < 6; second++) {
      tick(regulation, 300, 30);
    }
    assertThat(calls).containsExactly("memory 0", "network 0", "memory 700", "network 70");
    calls.clear();
    for (int second = 0; second < 4; second++) {
      tick(regulation, 200, 30);
    }
    // Memory's new phase gives in the tick in which the network's violation takes.
    tick(regulation, 200, 40);
    assertThat(calls).containsExactly("network 60", "memory 800");
    assertThat(results().get(results().size() - 1))
        .isEqualTo("memory widen 800: applied: memory=800");
  }

  @Test
  void aLimitIsSetAgainNowAndThenBecauseOthersMayHaveChangedIt() {
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 26; second++) {
      tick(regulation, 300, 0);
    }
    assertThat(calls).containsExactly("memory 0", "memory 700", "memory 700", "memory 700");
  }

  @Test
  void oneThatFailsIsTriedAgainAndTheOthersGoOn() throws IOException {
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE);
    memory.failure = Optional.of(new IOException("cannot write x"));
    for (int second = 0; second < 6; second++) {
      tick(regulation, 300, 30);
    }
    assertThat(calls).containsExactly("network 0", "network 70");
    assertThat(failures.getCount()).isEqualTo(6);
    assertThat(results())
        .contains(
            "memory keep 0: failed: cannot write x", "memory widen 700: failed: cannot write x");
    memory.failure = Optional.of(new IllegalStateException());
    tick(regulation, 300, 30);
    assertThat(regulation.states().get(0).result())
        .isEqualTo("failed: java.lang.IllegalStateException");
    memory.failure = Optional.empty();
    tick(regulation, 300, 30);
    assertThat(calls).containsExactly("network 0", "network 70", "memory 700");
    assertThat(results()).contains("memory keep 700: applied: memory=700");
  }

  /** Four cores; the foreground is pinned to some of them. */
  private void tick(Regulation regulation, String pinned) {
    nanos += SECOND / 2;
    regulation.tick(fourCores(1, pinned, Map.of()));
  }

  private NodeSnapshot fourCores(double foregroundCores, String pinned, Map<Integer, Double> busy) {
    Measurement missing = Measurement.missing("not asked for");
    Cores all = Cores.parse("0-3");
    return new NodeSnapshot(
        nanos,
        "the node minus best-effort",
        missingCpu(),
        new ResourceUse(Measurement.of(foregroundCores), Measurement.of(0.5), Measurement.of(4)),
        new CoreUse(all, all, Optional.of(Cores.parse(pinned)), busy, Optional.empty()),
        missingCpu(),
        missing,
        missing,
        missing,
        missing);
  }

  @Test
  void coresAreSetWhenTheyMoveAndNotOnlyWhenTheirNumberChanges() throws IOException {
    Actuator cores =
        new Actuator() {
          @Override
          public Optional<String> unavailable() {
            return Optional.empty();
          }

          @Override
          public String apply(Decision decision) {
            calls.add("cores " + decision.cores().orElseThrow().chosen());
            return "cpuset.cpus=" + decision.cores().orElseThrow().chosen();
          }

          @Override
          public void undo() {
            calls.add("undo cores");
          }
        };
    Regulation regulation =
        new Regulation(
            List.of(
                NodeRegulator.ofCores(
                    new CoresSettings(false, 1, 0.5, Duration.ofSeconds(5)),
                    RegulatorMode.ENFORCE,
                    Optional.of(Cores.parse("0-2,9")),
                    cores,
                    Optional.empty())),
            Optional.of(new AuditLog(directory, 1 << 20)),
            failures,
            CLOCK);
    regulation.start();
    tick(regulation, "");
    tick(regulation, "");
    tick(regulation, "0");
    tick(regulation, "1"); // as many as before, but others
    tick(regulation, "");
    tick(regulation, "");
    tick(regulation, "0-3");
    assertThat(calls)
        .containsExactly(
            "undo cores", "cores 0-2", "cores 1-2", "cores 0,2", "cores 0-2", "cores 0");
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
                     "reason":"foreground is pinned to all other cores: best-effort keeps its \
                    minimum; measured 4.00000; cores 0 of 0-2, pinned 0-3"}
                    """));
  }

  /** Four cores, on the last of which the foreground is pinned and uses all of it. */
  private void tick(Regulation regulation, double foregroundCores) {
    nanos += SECOND;
    regulation.tick(fourCores(foregroundCores, "3", Map.of(3, 1.0)));
  }

  @Test
  void coresFollowTheLoadOnThoseThatNobodyIsPinnedTo() {
    Regulation regulation =
        new Regulation(
            List.of(
                NodeRegulator.ofCores(
                    new CoresSettings(true, 1, 0.5, Duration.ofSeconds(5)),
                    RegulatorMode.OBSERVE,
                    Optional.empty(),
                    new Unavailable("nobody asked"),
                    Optional.empty())),
            Optional.empty(),
            failures,
            CLOCK);
    regulation.start();
    for (int second = 0; second < 6; second++) {
      tick(regulation, 1.25);
    }
    // Three are free, of which 0.25 are used: room 2.25, and half a core of that is kept.
    NodeRegulator.State state = regulation.states().get(0);
    assertThat(state.decision().orElseThrow().observation().value()).hasValue(0.25);
    assertThat(state.decision().orElseThrow().limit()).isEqualTo(1);
    for (int second = 0; second < 5; second++) {
      tick(regulation, 1);
    }
    assertThat(regulation.states().get(0).decision().orElseThrow().reason())
        .isEqualTo(
            "best-effort leaves the foreground the cores that it is using; measured 0.00000,"
                + " mean 0.00000; cores 0-1 of 0-3, pinned 3");
  }

  @Test
  void wideningsAreAtLeastASecondApart() throws IOException {
    Regulation regulation =
        new Regulation(
            List.of(
                new NodeRegulator(
                    Resource.memory(),
                    RegulatorMode.ENFORCE,
                    new WideningLaw(),
                    memory,
                    Optional.empty())),
            Optional.empty(),
            failures,
            CLOCK);
    regulation.start();
    calls.clear();
    for (int tick = 0; tick < 12; tick++) {
      nanos -= SECOND - SECOND / 4;
      tick(regulation, 1, 0);
    }
    assertThat(calls).containsExactly("memory 1", "memory 2", "memory 6", "memory 10");
  }

  /** Gives a byte more at each tick. */
  private static final class WideningLaw implements Regulator {
    private double limit;

    @Override
    public Decision decide(Observation observation) {
      limit++;
      return new Decision(
          Action.WIDEN, limit, Cause.INSIDE, observation, Optional.empty(), Optional.empty());
    }
  }

  @Test
  void whereNothingWasEverMeasuredNothingIsDone() {
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 9; second++) {
      tick(regulation, null, 0);
    }
    assertThat(calls).isEmpty();
    NodeRegulator.State state = regulation.states().get(0);
    assertThat(state.result()).isEqualTo("not applied: nothing was measured yet");
    assertThat(state.unavailable()).contains("it hides");
    tick(regulation, 300, 0);
    assertThat(calls).containsExactly("memory 0");
    assertThat(regulation.states().get(0).unavailable()).isEmpty();
  }

  @Test
  void whatThisMachineCannotDoIsSaidAndObserved() throws IOException {
    memory.unavailable = Optional.of("no such file: mount it");
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 6; second++) {
      tick(regulation, 300, 0);
    }
    assertThat(calls).isEmpty();
    assertThat(regulation.states().get(0).unavailable()).contains("no such file: mount it");
    assertThat(results()).contains("memory widen 700: not applied: no such file: mount it");
  }

  @Test
  void everyEffectIsALineOfItsOwn() throws IOException {
    memory.effects = List.of(new Effect("kill", "container_7", "applied: killed", "too much"));
    Regulation regulation = regulation(RegulatorMode.ENFORCE, RegulatorMode.OFF);
    tick(regulation, 300, 0);
    JsonNode line = audit().get(1);
    assertThat(line.path("target").asText()).isEqualTo("container_7");
    assertThat(line.path("action").asText()).isEqualTo("kill");
    assertThat(line.path("reason").asText()).isEqualTo("too much");
  }

  @Test
  void leftoversOfAnEarlierLifeGoAtTheStartAndEverythingAtTheEnd() {
    Regulation regulation =
        new Regulation(
            List.of(
                regulator(Resource.memory(), RegulatorMode.OFF, memory),
                regulator(Resource.network(), RegulatorMode.ENFORCE, network)),
            Optional.empty(),
            failures,
            CLOCK);
    regulation.start();
    assertThat(calls).containsExactly("undo memory", "undo network");
    memory.failure = Optional.of(new IOException("it is stuck; by hand: pull"));
    regulation.close();
    assertThat(calls).containsExactly("undo memory", "undo network", "undo network");
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void anAuditThatCannotBeWrittenIsCountedAndTheRegulatorGoesOn() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    Regulation regulation = regulation(file, RegulatorMode.ENFORCE, RegulatorMode.OFF);
    for (int second = 0; second < 6; second++) {
      tick(regulation, 300, 0);
    }
    assertThat(failures.getCount()).isEqualTo(2);
    assertThat(calls).containsExactly("memory 0", "memory 700");
  }
}
