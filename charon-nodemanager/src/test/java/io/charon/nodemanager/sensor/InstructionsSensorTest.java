/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sensor with a scripted helper that records its arguments. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstructionsSensorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private Path root;
  private FakeMachine machine;
  private Path helper;
  private Path bestEffort;
  private InstructionsSensor sensor;
  private long seconds;

  @BeforeEach
  void setUp() throws IOException {
    machine = FakeMachine.v2(root);
    bestEffort = Files.createDirectories(root.resolve("cgroup/charon/best-effort"));
    helper = root.resolve("ua killer");
    // Each answer has a thousand cycles; the second has 2 instructions per cycle, the third 3.
    behave("n=0; while read line; do n=$((n + 1)); echo 1000 ${n}000 50 50; done");
    sensor = sensor(TIMEOUT);
  }

  @AfterEach
  void close() {
    sensor.close();
  }

  private InstructionsSensor sensor(Duration timeout, String... foreground) throws IOException {
    return new InstructionsSensor(
        NodeSides.of(machine.detect("/charon"), List.of(foreground)),
        new Helper(List.of(helper.toString()), timeout),
        System::nanoTime);
  }

  /** Sets the commands that the helper runs after it has recorded its arguments and its pid. */
  private void behave(String lines) throws IOException {
    Files.writeString(
        helper,
        """
        #!/bin/sh
        echo "$@" >>'%1$s/calls'
        echo $$ >>'%1$s/pids'
        %2$s
        """
            .formatted(root, lines));
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
  }

  private Measurement second() {
    return sensor.read(seconds++ * SECOND);
  }

  private Measurement afterAWhile() {
    seconds += 10;
    return second();
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(root.resolve("calls"));
  }

  /** Returns the helper's process; empty if it has exited. */
  private Optional<ProcessHandle> process() throws IOException {
    return ProcessHandle.of(Long.parseLong(Files.readString(root.resolve("pids")).strip()));
  }

  private void awaitEnd() throws IOException {
    process().ifPresent(running -> running.onExit().join());
  }

  @Test
  void eachSecondIsAnAnswerOfOneHelper() throws IOException {
    assertThat(second().missing()).contains("a ratio needs two readings");
    assertThat(second().value()).hasValue(2);
    assertThat(second().value()).hasValue(3);
    assertThat(calls()).containsExactly("counters --cgroup " + bestEffort);
    assertThat(process()).isPresent();
    sensor.close();
    awaitEnd();
  }

  @Test
  void theHelperEndsWithItsInput() throws IOException {
    // Closing the input has the same effect as killing this process.
    CountingProcess counting;
    Process process = new Helper(List.of(helper.toString()), TIMEOUT).start(List.of("counters"));
    counting = new CountingProcess(process, TIMEOUT, System::nanoTime);
    assertThat(counting.ask().instructions()).isEqualTo(1000);
    process.getOutputStream().close();
    assertThat(process.onExit().join().exitValue()).isZero();
  }

  @Test
  void aHelperThatDiesSaysWhyAndIsStartedAgainAfterAWhile() throws IOException {
    behave("read line; echo 1000 1000 50 50; read line; echo ua-killer: out of luck; exit 1");
    second();
    assertThat(second().missing().orElseThrow()).endsWith("ua-killer: out of luck");
    assertThat(second().missing().orElseThrow()).endsWith("ua-killer: out of luck");
    assertThat(calls()).hasSize(1);

    behave("while read line; do echo 1000 4000 50 50; done");
    assertThat(afterAWhile().missing()).contains("a ratio needs two readings");
    assertThat(second().value()).hasValue(4);
    assertThat(calls()).hasSize(2);
  }

  @Test
  void aHelperThatIsInstalledAnewCountsFromThenOn() throws IOException {
    second();
    assertThat(second().value()).hasValue(2);
    Files.delete(helper);
    assertThat(afterAWhile().value()).as("the old one, as long as there is no other").hasValue(3);
    behave("while read line; do echo 1000 4000 50 50; done");
    assertThat(second().missing()).contains("a ratio needs two readings");
    assertThat(second().value()).hasValue(4);
    assertThat(calls()).hasSize(2);
  }

  @Test
  void aHelperThatIsKilledIsMissed() throws IOException {
    second();
    process().orElseThrow().destroyForcibly();
    awaitEnd();
    assertThat(second().missing().orElseThrow()).contains("has exited: exit code 137");
    assertThat(second().missing().orElseThrow()).contains("has exited: exit code 137");
    assertThat(afterAWhile().missing()).contains("a ratio needs two readings");
    assertThat(second().value()).hasValue(2);
  }

  @Test
  void anAnswerIsAwaitedByTheClock() throws IOException {
    Process process = new ProcessBuilder("/bin/sleep", "3600").start();
    AtomicLong nanos = new AtomicLong();
    Duration hour = Duration.ofHours(1);
    try (CountingProcess counting =
        new CountingProcess(process, hour, () -> nanos.addAndGet(hour.toNanos() / 2))) {
      assertThatThrownBy(counting::ask).hasMessageContaining("did not answer within 3600000 ms");
    }
    assertThat(nanos.get()).isEqualTo(3 * hour.toNanos() / 2);
  }

  @Test
  void aHelperThatHangsIsEnded() throws IOException {
    behave("exec /bin/sleep 3600");
    sensor = sensor(Duration.ofMillis(1500));
    assertThat(second().missing().orElseThrow()).contains("did not answer within 1500 ms");
    awaitEnd();
    // The sensor does not wait a second time.
    assertThat(second().missing().orElseThrow()).contains("did not answer within 1500 ms");
    assertThat(calls()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"what?", "1 2 3", "1 2 3 4 5", "-1 2 3 4", "1 2 3 99999999999999999999", "''"})
  void garbageIsNoAnswer(String answer) throws IOException {
    behave("while read line; do echo " + answer + "; done");
    assertThat(second().missing().orElseThrow()).startsWith("ua-killer counters reported: ");
    assertThat(second().isPresent()).isFalse();
    assertThat(calls()).hasSize(1);
  }

  @Test
  void aLineWithoutEndIsNoAnswer() throws IOException {
    behave("while :; do printf 1111111111111111111111111111; done");
    assertThat(second().missing().orElseThrow())
        .startsWith("ua-killer counters reported: 111")
        .hasSizeLessThan(2000);
  }

  @Test
  void aLackingCapabilityIsSaidWithTheCure() throws IOException {
    behave("echo perf events are refused, this needs CAP_PERFMON; exit 4");
    assertThat(second().missing().orElseThrow())
        .contains(
            "this needs CAP_PERFMON; as root", "&& setcap cap_net_admin,cap_bpf,cap_perfmon=p ");
    assertThat(sensor.unavailable().orElseThrow()).contains("setcap");
    assertThat(calls()).endsWith("counters self-test --cgroup " + bestEffort);
  }

  @Test
  void withoutAProgramItIsUnavailable() throws IOException {
    assertThat(sensor.unavailable()).isEmpty();
    Files.delete(helper);
    assertThat(sensor.unavailable().orElseThrow()).contains("install ua-killer");
    assertThat(second().missing().orElseThrow()).contains(helper.toString());
  }

  @Test
  void aForegroundThatDoesNotRunAndCountersOfOthersTellNothing() throws IOException {
    behave(
        "read l; echo 1 1 9 9; read l; echo 0 0 9 9; read l; echo 9 9 9 3; read l; echo 4 2 9 5");
    second();
    assertThat(second().missing()).contains("the foreground did not run");
    assertThat(second().missing().orElseThrow()).contains("used by other processes");
    assertThat(second().value()).hasValue(0.5);
  }

  @Test
  void aNarrowedForegroundIsCountedAnewWhenItsCgroupsChange() throws IOException {
    sensor = sensor(TIMEOUT, "/machine.slice/*");
    assertThat(second().missing()).contains("no cgroup of the foreground exists");
    Path slice = root.resolve("cgroup/machine.slice");
    Path one = Files.createDirectories(slice.resolve("vm1"));
    second();
    assertThat(second().value()).hasValue(2);
    Path two = Files.createDirectories(slice.resolve("vm2"));
    assertThat(second().value()).as("not at once").hasValue(3);
    assertThat(afterAWhile().missing()).contains("a ratio needs two readings");
    assertThat(second().value()).hasValue(2);
    String words = "counters --cgroup " + bestEffort + " --foreground " + one;
    assertThat(calls()).containsExactly(words, words + " --foreground " + two);
  }

  @Test
  void onVersion1ThePerfEventHierarchyHasTheContainers() throws IOException {
    machine =
        FakeMachine.v1(root).mountV1("perf", "/", "rw,perf_event").mountV2("unified", "/", "");
    sensor = sensor(TIMEOUT);
    second();
    assertThat(calls())
        .containsExactly("counters --cgroup " + root.resolve("perf/charon/best-effort"));
    sensor.close();
    machine = FakeMachine.v1(root).mountV2("unified", "/", "");
    sensor = sensor(TIMEOUT);
    second();
    assertThat(calls()).endsWith("counters --cgroup " + root.resolve("unified/charon/best-effort"));
  }
}
