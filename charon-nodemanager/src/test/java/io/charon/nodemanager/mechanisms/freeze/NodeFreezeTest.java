/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the freeze of a node whose memory is short, on a simulated machine. */
@Tag("hadoop")
class NodeFreezeTest {
  private static final String FILE = "cgroup/charon/best-effort/container_1/cgroup.freeze";
  private static final NodeMemory SHORT = new NodeMemory(1L << 30, 0);

  @TempDir Path root;
  private FakeMachine machine;
  private final Map<String, Phase> phases = new ConcurrentHashMap<>();
  private ActionExecutor executor;
  private NodeFreeze freeze;

  @BeforeEach
  void prepare() {
    machine = FakeMachine.v2(root);
  }

  @AfterEach
  void close() {
    freeze.close();
    executor.close();
  }

  private void start(String mode) throws IOException {
    machine.file("cgroup/charon/best-effort/cgroup.freeze", "0\n");
    startWith("freeze.mode", mode);
    freeze.reacquired(ContainerInfos.bestEffort("container_1", 1), true);
    await(() -> freeze.state().frozen().containsKey("container_1"));
  }

  private void startWith(String... keys) throws IOException {
    CgroupLayout layout = machine.detect("/charon");
    NodeMetrics metrics = new NodeMetrics();
    LaunchControl launches = mock(LaunchControl.class);
    when(launches.runningOldestFirst()).thenReturn(List.of("container_1"));
    executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(
                Optional.of(new ContainerFreezer(layout)),
                id -> {
                  throw new AssertionError(id);
                }),
            Audit.direct(
                Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)),
                Clock.systemUTC(),
                metrics.toleratedFailures()),
            metrics.toleratedFailures(),
            System::nanoTime);
    freeze =
        new NodeFreeze(
            TestSettings.of(keys),
            Optional.of(layout),
            () -> SHORT,
            () -> Optional.of(launches),
            id -> phases.getOrDefault(id, Phase.RUNNING),
            executor,
            metrics,
            System::nanoTime);
    freeze.start();
  }

  @Test
  void aReacquiredContainerThatThisNodeManagerFrozeIsNoLeftover() throws IOException {
    machine.file(FILE, "0\n");
    start("enforce");

    freeze.tick();

    assertThat(machine.read(FILE)).isEqualTo("1");
    assertThat(freeze.state().frozen()).containsKey("container_1");
    assertThat(freeze.isFrozen("container_1")).isTrue();
  }

  @Test
  void aLeftoverIsThawedWhereItWouldOnlyBeFrozen() throws IOException {
    machine.file(FILE, "1\n");
    start("observe");

    freeze.tick();

    assertThat(machine.read(FILE)).isEqualTo("0");
    assertThat(freeze.isFrozen("container_1")).isFalse();
  }

  /** It has not created any cgroup. */
  @Test
  @Tag("must-never")
  void aNodeThatObservesFreezesNothingAndItsAuditHasWhatItWouldFreeze() throws IOException {
    startWith("mode", "observe", "freeze.mode", "enforce");
    await(() -> freeze.state().frozen().containsKey("container_1"));

    assertThat(freeze.state().mode()).isEqualTo(RegulatorMode.OBSERVE);
    assertThat(freeze.acts()).isFalse();
    assertThat(freeze.isFrozen("container_1")).isFalse();
    freeze.signalled("container_1", false);
    freeze.close();
    assertThat(machine.path("cgroup/charon")).doesNotExist();
    assertThat(Files.readAllLines(root.resolve("audit/audit.jsonl")))
        .allMatch(line -> line.contains("\"mode\":\"observe\""))
        .anyMatch(line -> line.contains("\"action\":\"freeze\",\"target\":\"container_1\""))
        .anyMatch(line -> line.contains("\"action\":\"thaw\",\"target\":\"container_1\""));
  }

  @Test
  void aBaselineFreezesNothingAndSaysWhatFreezingNeeds() throws IOException {
    startWith("mode", "threshold", "freeze.mode", "observe");

    assertThat(freeze.state().unavailable().orElseThrow()).contains("mode to enforce");
    assertThat(freeze.state().frozen()).isEmpty();
  }

  @Test
  void aContainerThatYarnOrAStopHoldsIsFrozenToo() throws IOException {
    machine.file(FILE, "0\n");
    start("observe");
    phases.put("container_1", Phase.PAUSED);

    assertThat(freeze.isFrozen("container_1")).isTrue();
  }

  /** As by YARN's own pause, or by an earlier NodeManager. */
  @Test
  void whatOthersFrozeIsThawedBeforeItEndsAndTheAuditSaysSo() throws IOException {
    machine.file(FILE, "0\n");
    start("observe");
    machine.file(FILE, "1\n");

    freeze.signalled("container_1", false);
    assertThat(machine.read(FILE)).as("Charon has not placed it").isEqualTo("1");
    freeze.signalled("container_1", true);
    assertThat(machine.read(FILE)).isEqualTo("0");
    freeze.stopped("container_1", true);

    assertThat(Files.readAllLines(root.resolve("audit/audit.jsonl")))
        .filteredOn(line -> line.contains("applied: thawed"))
        .singleElement()
        .asString()
        .contains("\"action\":\"thaw\",\"target\":\"container_1\"")
        .contains("it is ending, or has become production");
  }
}
