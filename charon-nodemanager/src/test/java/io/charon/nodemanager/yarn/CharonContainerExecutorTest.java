/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.endsWith;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.startsWith;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.report.status.StatusDocument;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerDiagnosticsUpdateEvent;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches real processes as the NodeManager does. */
@Tag("hadoop")
class CharonContainerExecutorTest {
  @TempDir Path directory;
  private final StockYarn yarn = new StockYarn(5);
  private final ExecutorService launches = Executors.newSingleThreadExecutor();
  private final List<String> diagnostics = new CopyOnWriteArrayList<>();
  private final Configuration configuration = CharonNodesTest.installed();
  private CharonContainerExecutor executor;
  private Container container;

  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectories(directory.resolve("proc"));
    Files.createDirectories(directory.resolve("work"));
    availableMib(900);
    executor = new CharonContainerExecutor(directory.resolve("proc"));
    executor.setConf(configuration);
    container = yarn.opportunistic(1, 100);
    doAnswer(
            invocation -> {
              if (invocation.getArgument(0) instanceof ContainerDiagnosticsUpdateEvent update) {
                diagnostics.add(update.getDiagnosticsUpdate());
              }
              return null;
            })
        .when(container)
        .handle(any());
  }

  @AfterEach
  void forget() {
    CharonNodes.find(configuration).ifPresent(joined -> joined.node().close());
    CharonNodes.forget();
    launches.shutdownNow();
  }

  @Test
  void theContainerHasItsScoreBeforeItsFirstInstruction() throws Exception {
    executor.init(yarn.context());

    assertThat(run("cat /proc/self/oom_score_adj > score")).isZero();

    assertThat(directory.resolve("work/score")).hasContent("1000");
    StatusDocument.Running running = node().status().launches().running().get(0);
    assertThat(running.containerId()).isEqualTo(StockYarn.id(1).toString());
    assertThat(node().status().launches().counters()).containsEntry("launched", 1L);
  }

  @ParameterizedTest
  @CsvSource({"true, -102", "false, 137"})
  void oneThatWasKilledForMemorySaysWhyAndEndsAsPreemptedIfSoConfigured(
      boolean asPreempted, int exitStatus) throws Exception {
    configuration.setBoolean(
        "yarn.nodemanager.charon.killer.report-as-preempted.enabled", asPreempted);
    executor.init(yarn.context());
    CharonNodes.Joined joined = CharonNodes.find(configuration).orElseThrow();
    joined.node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    joined.node().start();

    Future<Integer> exit = launches.submit(() -> run("touch started; sleep 60; echo survived"));
    Path started = directory.resolve("work/started");
    await(() -> Files.exists(started));
    availableMib(50);

    assertThat(exit.get(20, TimeUnit.SECONDS)).isEqualTo(exitStatus);
    assertThat(diagnostics)
        .contains(
            "Killed for memory by user-space killer: 50 MiB of 1000 MiB left, threshold 100 MiB\n");
  }

  /** After SIGTERM it may end in any way: with an exit code of its own, or by the signal. */
  @ParameterizedTest
  @CsvSource({"exit 3, -102", "exit 0, 0", "kill -9 $$, -102"})
  void oneThatIsEvictedMayEndByItselfAndEndsAsPreempted(String handler, int exitStatus)
      throws Exception {
    configuration.set("yarn.nodemanager.charon.evict-line.mode", "enforce");
    configuration.set("yarn.nodemanager.charon.eviction.memory-grace-ms", "60000");
    executor.init(yarn.context());
    CharonNodes.Joined joined = CharonNodes.find(configuration).orElseThrow();
    joined.node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    joined.node().start();

    Future<Integer> exit =
        launches.submit(
            () ->
                run(
                    "trap '%s' TERM; touch started; while :; do sleep 0.1; done"
                        .formatted(handler)));
    await(() -> Files.exists(directory.resolve("work/started")));
    String pid = Files.readString(directory.resolve("container.pid")).strip();
    Path process = Files.createDirectories(directory.resolve("proc").resolve(pid));
    Files.writeString(process.resolve("status"), "PPid:\t1\nRssAnon:\t102400 kB\n");
    availableMib(200);

    assertThat(exit.get(20, TimeUnit.SECONDS)).isEqualTo(exitStatus);
    assertThat(diagnostics.stream().anyMatch(text -> text.startsWith("Killed by eviction above")))
        .isEqualTo(exitStatus != 0);
  }

  @Test
  void anUnattributedKillStaysAFailure() throws Exception {
    executor.init(yarn.context());

    assertThat(run("kill -9 $$")).isEqualTo(137);
    assertThat(diagnostics).noneMatch(text -> text.contains("for memory"));
  }

  @Test
  void aRecoveredContainerKilledForMemoryIsPreemptedEvenWithoutAnExitCode() throws Exception {
    executor.init(yarn.context());
    CharonNodes.Joined joined = CharonNodes.find(configuration).orElseThrow();
    joined.node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    joined.node().start();
    Process process = new ProcessBuilder("setsid", "sleep", "60").start();
    try {
      ContainerReacquisitionContext context = recovered(process);
      Future<Integer> exit = launches.submit(() -> executor.reacquireContainer(context));
      await(() -> !node().status().launches().running().isEmpty());
      availableMib(50);

      assertThat(exit.get(20, TimeUnit.SECONDS)).isEqualTo(ContainerExitStatus.PREEMPTED);
      assertThat(diagnostics).anyMatch(text -> text.startsWith("Killed for memory by user-space"));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aRecoveredContainerWithAForeignKillIsLost() throws Exception {
    executor.init(yarn.context());
    Process process = new ProcessBuilder("setsid", "sleep", "60").start();
    ContainerReacquisitionContext context = recovered(process);
    process.destroyForcibly().waitFor();

    assertThatThrownBy(() -> executor.reacquireContainer(context))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("exit code");
  }

  /**
   * YARN interrupts the threads that wait for recovered containers, which the next one recovers.
   */
  @Test
  @Tag("must-never")
  void aNodeManagerThatStopsDoesNotEndARecoveredContainer() throws Exception {
    executor.init(yarn.context());
    Process process = new ProcessBuilder("setsid", "sleep", "60").start();
    try {
      ContainerReacquisitionContext context = recovered(process);
      Future<Integer> exit = launches.submit(() -> executor.reacquireContainer(context));
      await(() -> !node().containers().isEmpty());
      await(() -> isDoneAfterAnInterrupt(exit));

      assertThatThrownBy(() -> exit.get(20, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfAny(InterruptedException.class, InterruptedIOException.class);
      assertThat(node().containers()).hasSize(1).noneMatch(ContainerLedger.Entry::stopped);
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** As within the grace period of an eviction: it was asked to end, and has not ended yet. */
  @Test
  @Tag("must-never")
  void aNodeManagerThatStopsDoesNotEndARecoveredContainerThatIsToEnd() throws Exception {
    ExecutedContainers containers = new ExecutedContainers(directory.resolve("proc"));
    containers.join(yarn.context(), executor, configuration);
    node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    node().start();
    availableMib(50);

    assertThatThrownBy(
            () ->
                containers.reacquire(
                    container,
                    () -> {
                      await(() -> node().lifecycle().killReason(id()).isPresent());
                      throw new InterruptedIOException("the NodeManager stops");
                    }))
        .isInstanceOf(InterruptedIOException.class);

    assertThat(node().containers()).hasSize(1).noneMatch(ContainerLedger.Entry::stopped);
  }

  private String id() {
    return container.getContainerId().toString();
  }

  /** Hadoop's Shell loses an interrupt that arrives while it waits for a command's error output. */
  private boolean isDoneAfterAnInterrupt(Future<Integer> launch) {
    launches.shutdownNow();
    return launch.isDone();
  }

  @Test
  void theEndOfARecoveredContainerIsReported() throws Exception {
    executor.init(yarn.context());
    Process process = new ProcessBuilder("setsid", "sleep", "60").start();
    ContainerReacquisitionContext context = recovered(process);
    Future<Integer> exit = launches.submit(() -> executor.reacquireContainer(context));
    await(() -> !node().containers().isEmpty());
    Files.writeString(directory.resolve("container.pid.exitcode"), "7");
    process.destroyForcibly();

    assertThat(exit.get(20, TimeUnit.SECONDS)).isEqualTo(7);
    assertThat(node().containers()).hasSize(1).allMatch(ContainerLedger.Entry::stopped);
  }

  /** YARN restarts it on the same node for any exit status but that of a kill. */
  @Test
  void oneThatWantsRetriesIsNotRestartedOnTheNodeThatHasNoMemoryForIt() throws Exception {
    doAnswer(invocation -> true).when(container).shouldRetry(ContainerExitStatus.PREEMPTED);
    executor.init(yarn.context());
    CharonNodes.Joined joined = CharonNodes.find(configuration).orElseThrow();
    joined.node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    joined.node().start();

    Future<Integer> exit = launches.submit(() -> run("touch started; sleep 60"));
    await(() -> Files.exists(directory.resolve("work/started")));
    availableMib(50);

    assertThat(exit.get(20, TimeUnit.SECONDS)).isEqualTo(137);
    verify(container)
        .sendKillEvent(eq(ContainerExitStatus.PREEMPTED), startsWith("Killed for memory by"));
  }

  @Test
  void aRecoveredOneThatWantsRetriesEndsAsPreempted() throws Exception {
    doAnswer(invocation -> true).when(container).shouldRetry(ContainerExitStatus.PREEMPTED);
    ExecutedContainers containers = new ExecutedContainers(directory.resolve("proc"));
    containers.join(yarn.context(), executor, configuration);
    node().gate().orElseThrow().adopt(Containers.info(container).launchRequest());
    node().start();
    availableMib(50);

    int exitStatus =
        containers.reacquire(
            container,
            () -> {
              await(() -> node().lifecycle().killReason(id()).isPresent());
              return 137;
            });

    assertThat(exitStatus).isEqualTo(ContainerExitStatus.PREEMPTED);
    verify(container)
        .sendKillEvent(eq(ContainerExitStatus.PREEMPTED), endsWith("threshold 100 MiB"));
  }

  /** In the first two cases Linux killed one process, and the others end by themselves. */
  @ParameterizedTest
  @CsvSource({
    "OPPORTUNISTIC, enforce, 0, 3, -102",
    "OPPORTUNISTIC, enforce, 0, 0, 0",
    "OPPORTUNISTIC, enforce, 1, 3, 3",
    "OPPORTUNISTIC, observe, 0, 3, 3",
    "GUARANTEED, enforce, 0, 3, 3",
  })
  void whateverExitCodeFollowsAKillByLinuxAtBestEffortsLimitItIsPreempted(
      ExecutionType type, String mode, int ownLimitHits, int exitCode, int exitStatus)
      throws Exception {
    container = yarn.container(2, 100, type, ContainerType.TASK);
    FakeMachine machine = withCgroups();
    configuration.set("yarn.nodemanager.charon.memory-limit.mode", mode);
    String side = type == ExecutionType.GUARANTEED ? "production" : "best-effort";
    // A link to a directory can be removed with its files, as a cgroup can.
    Path counts = machine.file("counts/memory.events", "oom 0\noom_kill 0\n").path("counts");
    Path cgroup = machine.path("cgroup/charon/" + side).resolve(id());
    ExecutedContainers containers = new ExecutedContainers(directory.resolve("proc"));
    containers.join(yarn.context(), executor, configuration);
    Files.createSymbolicLink(cgroup, counts);

    int status =
        containers.reacquire(
            container,
            () -> {
              machine.file("counts/memory.events", "oom %d\noom_kill 1\n".formatted(ownLimitHits));
              return exitCode;
            });

    assertThat(status).isEqualTo(exitStatus);
    assertThat(cgroup).doesNotExist();
  }

  private ContainerReacquisitionContext recovered(Process process) throws IOException {
    Path pidFile = directory.resolve("container.pid");
    Files.writeString(pidFile, Long.toString(process.pid()));
    executor.activateContainer(container.getContainerId(), TestLaunch.hadoop(pidFile));
    return new ContainerReacquisitionContext.Builder()
        .setContainer(container)
        .setUser("alice")
        .setContainerId(container.getContainerId())
        .build();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aFaultOfCharonFailsNoContainerThatStartsOrIsRecovered(Class<? extends Throwable> fault)
      throws Exception {
    executor.init(yarn.context());
    doThrow(fault.getConstructor(String.class).newInstance("injected"))
        .when(container)
        .getContainerTokenIdentifier();

    assertThat(run("exit 3")).isEqualTo(3);
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    ContainerReacquisitionContext recovered = recovered(process);
    Files.writeString(directory.resolve("container.pid.exitcode"), "7");
    assertThat(executor.reacquireContainer(recovered)).isEqualTo(7);

    assertThat(node().status().launches().counters()).containsEntry("toleratedFailures", 2L);
  }

  @Test
  void anOrdinaryFailureStaysOne() throws Exception {
    executor.init(yarn.context());

    assertThat(run("exit 3")).isEqualTo(3);
  }

  @Test
  void aLaunchThatFailsBeforeItsProcessLeavesNothingBehind() throws Exception {
    executor.init(yarn.context());
    ContainerStartContext context = context("true");
    Files.delete(directory.resolve("script"));

    assertThatThrownBy(() -> executor.launchContainer(context)).isInstanceOf(IOException.class);

    assertThat(node().status().launches().running()).isEmpty();
    assertThat(node().status().launches().counters()).containsEntry("launched", 0L);
  }

  @Test
  void yarnPausesAndResumesAContainerThatHasACgroup() throws Exception {
    String file = "cgroup/charon/best-effort/" + container.getContainerId() + "/cgroup.freeze";
    FakeMachine machine = withCgroups();
    executor.init(yarn.context());

    machine.file(file, "0");
    executor.pauseContainer(container);
    assertThat(machine.read(file)).isEqualTo("1");
    executor.resumeContainer(container);
    assertThat(machine.read(file)).isEqualTo("0");
  }

  @Test
  void aPauseThatCannotBeIsAnErrorSoThatYarnKillsInstead() throws Exception {
    executor.init(yarn.context());

    assertThatThrownBy(() -> executor.pauseContainer(container))
        .as("as YARN's own executor says it")
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aFrozenContainerThatIsKilledGoesOnSoThatTheKillReachesIt() throws Exception {
    String file = "cgroup/charon/best-effort/" + container.getContainerId() + "/cgroup.freeze";
    FakeMachine machine = withCgroups();
    executor.init(yarn.context());
    Process process = new ProcessBuilder("setsid", "sleep", "60").start();
    try {
      machine.file(file, "1");
      executor.signalContainer(
          new ContainerSignalContext.Builder()
              .setContainer(container)
              .setUser("alice")
              .setPid(Long.toString(process.pid()))
              .setSignal(ContainerExecutor.Signal.TERM)
              .build());
      assertThat(machine.read(file)).isEqualTo("0");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void withoutANodeItIsTheDefaultExecutor() throws Exception {
    configuration.set("yarn.nodemanager.charon.mode", "nonsense");
    executor.init(yarn.context());

    assertThat(run("cat /proc/self/oom_score_adj > score")).isZero();

    assertThat(directory.resolve("work/score"))
        .hasContent(Files.readString(Path.of("/proc/self/oom_score_adj")).strip());
  }

  private CharonNode node() {
    return CharonNodes.find(configuration).orElseThrow().node();
  }

  private FakeMachine withCgroups() throws IOException {
    configuration.setBoolean("yarn.nodemanager.charon.cgroup.enabled", true);
    FakeMachine machine = FakeMachine.v2(directory);
    for (String cgroup : List.of("charon", "charon/production", "charon/best-effort")) {
      machine.file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu io memory pids\n");
    }
    machine.detect("/charon"); // writes the files of proc
    return machine;
  }

  private void availableMib(long mib) throws IOException {
    Files.writeString(
        directory.resolve("proc/meminfo"),
        "MemTotal: %d kB%nMemAvailable: %d kB%n".formatted(1000 * 1024, mib * 1024));
  }

  private int run(String script) throws Exception {
    return executor.launchContainer(context(script));
  }

  private ContainerStartContext context(String script) throws IOException {
    return TestLaunch.context(executor, container, directory, script);
  }
}
