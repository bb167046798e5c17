/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ReclaimScope;
import io.charon.core.law.reclaim.ReclaimSettings;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests from the files of cgroups to the requests to the program, and the state of a limit when the
 * program, the NodeManager or both are killed between its two writes.
 */
class ReclaimPartsTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final long NO_LIMIT = 9223372036854771712L;
  private static final long LOW = 990 * MIB;
  private static final String BEST_EFFORT = "charon/best-effort/container_1";
  private static final String PRODUCTION = "charon/production/container_2";
  private static final String LIMIT = "/memory.limit_in_bytes";

  /** Reads its lines as ua-killer does; DO is replaced by the commands for each line. */
  private static final String PROGRAM =
      """
      #!/bin/sh
      [ "$1" = reclaim ] || exit 9
      while read -r line; do
        echo "$line" >> ASKED
        for word in $line; do
          case $word in
            from=*) from=${word#from=} ;;
            to=*) to=${word#to=} ;;
            number=*) number=${word#number=} ;;
            cgroup=*) cgroup=${word#cgroup=} ;;
          esac
        done
        DO
        echo "{\\"number\\":$number,\\"result\\":\\"taken\\",\\"beforeBytes\\":1048576000,\\"afterBytes\\":1038090240,\\"heldMicros\\":7}"
      done
      """;

  private static final String LOWERS = "echo $to > $cgroup/memory.limit_in_bytes\n";
  private static final String RAISES = "echo $from > $cgroup/memory.limit_in_bytes\n";
  private static final String IS_KILLED = "kill -9 $$\n";

  @TempDir private Path root;
  private final Counter failures = new Counter();
  private FakeMachine machine;
  private CgroupLayout layout;
  private Path memory;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private SingleMechanism<ReclaimableContainers> parts;
  private Duration timeout = Duration.ofSeconds(30);
  private ReclaimScope production = ReclaimScope.NONE;
  private long nanos = 1_000 * SECOND;

  @BeforeEach
  void setUp() throws IOException {
    machine = FakeMachine.v1(root).mountV2("cgroup/unified", "/", "").pageBytes(4096);
    layout = machine.detect("/charon");
    memory = root.resolve("recovery/cold-memory.properties");
    machine.file("proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
    machine.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    container(BEST_EFFORT);
    container(PRODUCTION);
    program(LOWERS + RAISES);
  }

  @AfterEach
  void ends() {
    if (executor != null) {
      executor.close();
    }
  }

  private void container(String name) {
    String pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00\n";
    machine
        .file("cgroup/memory/" + name + "/memory.usage_in_bytes", 1000 * MIB + "\n")
        .file("cgroup/memory/" + name + LIMIT, NO_LIMIT + "\n")
        .file("cgroup/memory/" + name + "/memory.swappiness", "60\n")
        .file(
            "cgroup/memory/" + name + "/memory.stat",
            """
            total_dirty 0
            total_writeback 0
            total_workingset_refault_anon 0
            total_workingset_refault_file 0
            total_inactive_anon 0
            total_active_anon 104857600
            total_inactive_file 524288000
            total_active_file 104857600
            total_unevictable 0
            """)
        .file("cgroup/unified/" + name + "/memory.pressure", pressure)
        .file("cgroup/unified/" + name + "/io.pressure", pressure);
  }

  private void program(String what) throws IOException {
    Path program = root.resolve("ua-killer");
    Path fresh = root.resolve("ua-killer.new");
    Files.writeString(
        fresh,
        PROGRAM.replace("ASKED", root.resolve("asked").toString()).replace("DO", what.strip()));
    assertThat(fresh.toFile().setExecutable(true)).isTrue();
    Files.move(fresh, program, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Starts a NodeManager; an earlier one, if any, has ended without cleaning up. */
  private void start(RegulatorMode mode) {
    parts =
        ReclaimParts.of(
            new ProactiveReclaimSettings(
                mode,
                new ReclaimSettings(
                    1, Duration.ofSeconds(6), 0.1, 0.2, Duration.ZERO, 0, MIB, production),
                Optional.of(memory)),
            Duration.ofSeconds(1),
            Optional.of(layout),
            true,
            root.resolve("proc"),
            new Helper(List.of(root.resolve("ua-killer").toString()), timeout),
            () -> new LastKill(OptionalLong.empty()));
    executor =
        TestExecutor.of(
            Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)), failures, parts.actuators());
    runner =
        new MechanismRunner(List.of(new MechanismRunner.Entry(parts.mechanism(), mode)), executor);
    runner.start();
  }

  private void tick(int times) {
    for (int i = 0; i < times; i++) {
      Reading[] readings = parts.read(nanos).stream().toArray(Reading[]::new);
      runner.tick(new Snapshot(nanos, readings));
      nanos += SECOND;
    }
  }

  /** Ticks until the program was asked once and its answer is in the audit log. */
  private void tickOnce() {
    tick(61);
    await(() -> !audit().isEmpty());
  }

  private List<String> audit() {
    return lines("audit/audit.jsonl");
  }

  private List<String> asked() {
    return lines("asked");
  }

  private List<String> lines(String name) {
    Path file = root.resolve(name);
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String limit(String container) throws IOException {
    return machine.read("cgroup/memory/" + container + LIMIT);
  }

  private void isAsItWas(String container) throws IOException {
    assertThat(limit(container)).isEqualTo(Long.toString(NO_LIMIT));
    assertThat(machine.read("cgroup/memory/" + container + "/memory.swappiness")).isEqualTo("60");
    assertThat(memory).doesNotExist();
  }

  @Test
  void aHundredthIsTakenOfBestEffortOnceInAPeriodAndProductionIsNotAsked() throws IOException {
    start(RegulatorMode.ENFORCE);
    tick(60);
    assertThat(asked()).as("watched for a minute first").isEmpty();
    tick(1);
    await(() -> !audit().isEmpty());
    assertThat(asked())
        .containsExactly(
            "number=0 bytes=10485760 files=1 from=%d to=%d most=20971520 swappiness=60 cgroup=%s"
                .formatted(NO_LIMIT, LOW, machine.path("cgroup/memory/" + BEST_EFFORT)));
    assertThat(audit())
        .singleElement()
        .asString()
        .contains(
            "\"proactive-reclaim\"",
            "\"reclaim\"",
            "\"best-effort\"",
            "\"container_1\":1.048576E7",
            "applied: 10.0 of 10.0 MiB reclaimed, the whole amount from 1 of 1 containers; a lowered limit was in force for at most 7 us");
    isAsItWas(BEST_EFFORT);
    tick(6);
    assertThat(runner.states().get(0).report().value("taken")).hasValue(10.0 * MIB);
    await(() -> audit().size() == 2);
    assertThat(asked()).hasSize(2);
    assertThat(failures.getCount()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
  void theProgramUnderstandsEveryLanguage(String language) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      start(RegulatorMode.ENFORCE);
      tick(61);
      await(() -> !asked().isEmpty());
      assertThat(asked().get(0)).startsWith("number=0 bytes=10485760 files=1 from=" + NO_LIMIT);
      await(() -> !audit().isEmpty());
      assertThat(audit().get(0)).contains("applied: 10.0 of 10.0 MiB");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void productionIsAskedOnlyIfTheOperatorSaysSo() {
    production = ReclaimScope.FILES;
    start(RegulatorMode.ENFORCE);
    tick(61);
    await(() -> audit().size() == 2);
    assertThat(asked()).hasSize(2).anyMatch(line -> line.endsWith(PRODUCTION));
    assertThat(audit()).anyMatch(line -> line.contains("\"target\":\"production\""));
  }

  @Test
  @Tag("must-never")
  void theProgramIsKilledBetweenItsWrites() throws IOException {
    program(LOWERS + "echo 0 > $cgroup/memory.swappiness\n" + IS_KILLED);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    isAsItWas(BEST_EFFORT);
    assertThat(audit())
        .singleElement()
        .asString()
        .contains("failed: ua-killer reclaim exited with code");
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  @Tag("must-never")
  void theProgramIsKilledBeforeItsWrites() throws IOException {
    program(IS_KILLED);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    isAsItWas(BEST_EFFORT);
  }

  @Test
  @Tag("must-never")
  void theProgramStandsStillBetweenItsWrites() throws IOException {
    timeout = Duration.ofMillis(300);
    program(LOWERS + "kill -STOP $$\n" + RAISES);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    isAsItWas(BEST_EFFORT);
    assertThat(audit()).singleElement().asString().contains("did not exit within");
  }

  /** The next NodeManager has only what was on the disk at that moment. */
  @Test
  @Tag("must-never")
  void theProgramAndTheNodeManagerAreKilledBetweenItsWrites() throws IOException {
    Path kept = root.resolve("kept");
    program(LOWERS + "/bin/cp " + memory + " " + kept + "\n" + IS_KILLED);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(kept).as("it was kept before the limit was written").exists();

    machine.file("cgroup/memory/" + BEST_EFFORT + LIMIT, Long.toString(LOW));
    Files.copy(kept, memory, StandardCopyOption.COPY_ATTRIBUTES);
    start(RegulatorMode.OFF);
    isAsItWas(BEST_EFFORT);
  }

  @Test
  @Tag("must-never")
  void aLimitThatAnotherProgramSetMeanwhileIsKept() throws IOException {
    program(LOWERS + "echo 12345 > $cgroup/memory.limit_in_bytes\n" + IS_KILLED);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(limit(BEST_EFFORT)).isEqualTo("12345");
    assertThat(memory).doesNotExist();
  }

  @Test
  @Tag("must-never")
  void whatCannotBeKeptIsNotTouched() throws IOException {
    Files.createDirectories(memory.getParent());
    Files.createDirectory(memory);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(asked()).isEmpty();
    assertThat(limit(BEST_EFFORT)).isEqualTo(Long.toString(NO_LIMIT));
    assertThat(audit()).singleElement().asString().contains("failed: ");
  }

  @Test
  void aContainerThatEndsMeanwhileLeavesNothing() throws IOException {
    program(LOWERS + "/bin/rm -r $cgroup\n" + IS_KILLED);
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(memory).doesNotExist();
    tick(12);
    assertThat(runner.states().get(0).report().detail()).isEmpty();
  }

  @Test
  void onePromotedHasPagesOnBothSidesAndIsLeftAlone() {
    container("charon/production/container_1");
    production = ReclaimScope.FILES;
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(asked()).singleElement().asString().endsWith("container_2");
  }

  @Test
  void observedIsSaidEachTimeAndNothingIsAsked() {
    start(RegulatorMode.OBSERVE);
    tick(73);
    assertThat(audit())
        .hasSize(3)
        .allMatch(line -> line.contains("not applied: observe"))
        .allMatch(line -> line.contains("\"container_1\":1.048576E7"));
    assertThat(asked()).isEmpty();
  }

  @Test
  void withoutPressureOfContainersNothingIsTaken() throws IOException {
    Files.delete(machine.path("cgroup/unified/" + BEST_EFFORT + "/io.pressure"));
    start(RegulatorMode.ENFORCE);
    tick(80);
    assertThat(audit()).isEmpty();
    assertThat(runner.states().get(0).report().detail().orElseThrow())
        .contains("without pressure stall information");
  }

  @Test
  void withoutPressureOfTheMachineItSaysTheCure() throws IOException {
    Files.delete(machine.path("proc/pressure/memory"));
    start(RegulatorMode.ENFORCE);
    tick(80);
    assertThat(audit()).isEmpty();
    assertThat(runner.states().get(0).unavailable().orElseThrow()).contains("boot it with psi=1");
  }

  @Test
  void withoutTheProgramItSaysTheCureOnce() throws IOException {
    Files.delete(root.resolve("ua-killer"));
    start(RegulatorMode.ENFORCE);
    tick(80);
    assertThat(runner.states().get(0).unavailable().orElseThrow()).contains("install ua-killer");
    assertThat(audit()).singleElement().asString().contains("not applied: ", "install ua-killer");
  }

  @Test
  void whatTheProgramDoesNotUnderstandIsInTheAudit() throws IOException {
    program("echo ua-killer: frob: no such word; exit 2");
    start(RegulatorMode.ENFORCE);
    tickOnce();
    assertThat(audit()).singleElement().asString().contains("exited with code 2", "no such word");
    isAsItWas(BEST_EFFORT);
  }

  @Test
  void withoutContainersThereIsNothingToSay() throws IOException {
    machine = FakeMachine.v1(root.resolve("other")).mountV2("cgroup/unified", "/", "");
    layout = machine.detect("/charon");
    start(RegulatorMode.ENFORCE);
    tick(80);
    assertThat(audit()).isEmpty();
    assertThat(failures.getCount()).isZero();
  }
}
