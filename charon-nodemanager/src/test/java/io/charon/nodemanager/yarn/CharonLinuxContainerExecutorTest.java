/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;

import io.charon.nodemanager.cgroup.FakeMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests YARN's real executor with a scripted program that records its arguments. */
@Tag("hadoop")
class CharonLinuxContainerExecutorTest {
  // YARN reads the program's path once per process.
  @TempDir private static Path shared;

  @TempDir private Path directory;
  private final StockYarn yarn = new StockYarn(5);
  private final Configuration configuration = CharonNodesTest.installed();
  private CharonLinuxContainerExecutor executor;
  private Container container;

  @BeforeEach
  void prepare() throws IOException {
    Path program = shared.resolve("container-executor");
    Files.writeString(
        program,
        """
        #!/bin/bash
        d=%s
        [ "$1" = --checksetup ] && exit 0
        procs=$(cat $d/procs)
        [ "$(cat "$procs" 2>/dev/null)" != $$ ] || by=', already there'
        rm -f "$procs" # a cgroup can be removed with its files
        echo "$(cat /proc/self/oom_score_adj) ${@: -1}$by" >>$d/launches
        if [ -e $d/entered ]; then touch $6/launch_container.sh; fi
        if [ -e $d/vanish ]; then rmdir "${procs%%/*}"; fi
        code=$(head -n 1 $d/codes)
        sed -i 1d $d/codes
        exit $code
        """
            .formatted(shared));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.deleteIfExists(shared.resolve("launches"));
    Files.deleteIfExists(shared.resolve("entered"));
    Files.deleteIfExists(shared.resolve("vanish"));
    Files.createDirectories(directory.resolve("proc"));
    Files.createDirectories(directory.resolve("work"));
    Files.writeString(
        directory.resolve("proc/meminfo"), "MemTotal: 1024000 kB\nMemAvailable: 921600 kB\n");
    configuration.set(
        YarnConfiguration.NM_CONTAINER_EXECUTOR, CharonLinuxContainerExecutor.class.getName());
    configuration.set(YarnConfiguration.NM_LINUX_CONTAINER_EXECUTOR_PATH, program.toString());
    executor = new CharonLinuxContainerExecutor(directory.resolve("proc"));
    executor.setConf(configuration);
    container = yarn.opportunistic(1, 100);
    launchable(container);
  }

  private static void launchable(Container container) {
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), null, Map.of());
    doAnswer(invocation -> launch).when(container).getLaunchContext();
  }

  @AfterEach
  void forget() {
    CharonNodes.current().ifPresent(joined -> joined.node().close());
    CharonNodes.forget();
  }

  @Test
  void theProgramIsToldTheCgroupsAndStartedWithTheScore() throws Exception {
    withCgroups();
    executor.init(yarn.context());

    assertThat(runEndingWith("0")).isZero();

    assertThat(launches()).containsExactly("1000 cgroups=" + procs());
    assertThat(procs().getParent()).as("its cgroup is gone").doesNotExist();
  }

  @Test
  void whatIsRefusedStartsAgainAndEntersItsCgroupsByItself() throws Exception {
    withCgroups();
    executor.init(yarn.context());

    assertThat(runEndingWith("27", "5")).isEqualTo(5);

    assertThat(launches())
        .containsExactly("1000 cgroups=" + procs(), "1000 cgroups=none, already there");
    assertThat(counter("toleratedFailures")).isEqualTo(1);
    assertThat(counter("launched")).isEqualTo(1);
  }

  @Test
  void aProgramThatRefusesIsNotAskedAgain() throws Exception {
    withCgroups();
    executor.init(yarn.context());
    runEndingWith("27", "0");
    container = yarn.opportunistic(2, 100);
    launchable(container);

    assertThat(runEndingWith("0")).isZero();

    assertThat(launches()).hasSize(3).endsWith("1000 cgroups=none, already there");
    assertThat(counter("toleratedFailures")).isEqualTo(1);
    assertThat(counter("launched")).isEqualTo(2);
  }

  @Test
  void afterACgroupHasVanishedTheProgramIsAskedAgain() throws Exception {
    withCgroups();
    executor.init(yarn.context());
    Files.createFile(shared.resolve("vanish"));
    assertThat(runEndingWith("27", "0")).isZero();
    Files.delete(shared.resolve("vanish"));
    container = yarn.opportunistic(2, 100);
    launchable(container);

    assertThat(runEndingWith("0")).isZero();

    assertThat(launches()).hasSize(3).endsWith("1000 cgroups=" + procs());
  }

  @Test
  @Tag("must-never")
  void aProgramOfTheUserThatEndsWithTheSameCodeIsNotRunTwice() throws Exception {
    withCgroups();
    executor.init(yarn.context());
    Files.createFile(shared.resolve("entered"));

    assertThat(runEndingWith("27", "0")).isEqualTo(27);

    assertThat(launches()).hasSize(1);
  }

  @Test
  void withoutCgroupsItStillHasItsScore() throws Exception {
    executor.init(yarn.context());

    assertThat(runEndingWith("27", "0")).as("nothing was refused").isEqualTo(27);

    assertThat(launches()).containsExactly("1000 cgroups=none");
  }

  @Test
  void whereACgroupCannotBeMadeItRunsWithoutAndIsCounted() throws Exception {
    withCgroups();
    executor.init(yarn.context());
    Path bestEffort = directory.resolve("cgroup/charon/best-effort");
    Files.move(bestEffort, directory.resolve("taken"));
    Files.createFile(bestEffort);

    assertThat(runEndingWith("5")).isEqualTo(5);

    assertThat(launches()).containsExactly("1000 cgroups=none");
    assertThat(counter("toleratedFailures")).isPositive();
  }

  @Test
  void aUserWhomTheProgramForbidsFailsOnceAndLeavesNothing() throws Exception {
    withCgroups();
    executor.init(yarn.context());

    assertThat(runEndingWith("255", "0")).as("as with YARN's executor").isEqualTo(255);

    assertThat(launches()).hasSize(1);
    assertThat(procs().getParent()).doesNotExist();
    assertThat(counter("toleratedFailures")).isZero();
  }

  @Test
  void onAHybridMachineItIsToldBothHierarchies() throws Exception {
    configuration.setBoolean("yarn.nodemanager.charon.cgroup.enabled", true);
    new FakeMachine(directory)
        .mountV1("cgroup/memory", "/", "rw,memory")
        .mountV2("cgroup/unified", "/", "hugetlb")
        .self("4:memory:/\n0::/\n")
        .detect("/charon"); // writes the files of proc
    executor.init(yarn.context());

    assertThat(runEndingWith("0")).isZero();

    String own = "/charon/best-effort/" + container.getContainerId() + "/cgroup.procs";
    assertThat(launches())
        .containsExactly(
            "1000 cgroups=%s%%%s"
                .formatted(
                    directory.resolve("cgroup/memory" + own),
                    directory.resolve("cgroup/unified" + own)));
  }

  @Test
  void whereOthersMakeCgroupsItNamesNoneAndMakesNone() throws Exception {
    configuration.set("yarn.nodemanager.runtime.linux.allowed-runtimes", "default,docker");
    withCgroups();
    executor.init(yarn.context());

    assertThat(runEndingWith("0")).isZero();

    assertThat(launches()).containsExactly("1000 cgroups=none");
    assertThat(CharonNodes.current().orElseThrow().node().status().containment().isolation().kind())
        .isEqualTo("attach");
  }

  /** A map that computes a value keeps out every key of the same bin meanwhile. */
  @Test
  @Tag("must-never")
  void oneThatTakesLongToPrepareKeepsNoOtherFromStarting() throws Exception {
    executor.init(yarn.context());
    CountDownLatch prepares = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ContainerTokenIdentifier token = container.getContainerTokenIdentifier();
    doAnswer(
            invocation -> {
              if (isPreparing()) {
                prepares.countDown();
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
              }
              return token;
            })
        .when(container)
        .getContainerTokenIdentifier();
    FutureTask<Integer> slow = new FutureTask<>(() -> runEndingWith("0"));
    new Thread(slow).start();
    assertThat(prepares.await(60, TimeUnit.SECONDS)).isTrue();

    FutureTask<Boolean> other =
        new FutureTask<>(() -> executor.starting(inTheSameBin(container.getContainerId())), true);
    new Thread(other).start();
    try {
      assertThat(other.get(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      goOn.countDown();
    }
    assertThat(slow.get(60, TimeUnit.SECONDS)).isZero();
  }

  private static boolean isPreparing() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getMethodName().equals("starting")
                            && frame.getClassName().endsWith("LinuxContainerExecutor")));
  }

  private static ContainerId inTheSameBin(ContainerId one) {
    return IntStream.iterate(2, number -> number + 1)
        .mapToObj(StockYarn::id)
        .filter(other -> bin(other) == bin(one))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the bin of a ConcurrentHashMap with its initial capacity of 16. */
  private static int bin(ContainerId id) {
    int hash = id.hashCode();
    return (hash ^ (hash >>> 16)) & 15;
  }

  private static List<String> launches() throws IOException {
    return Files.readAllLines(shared.resolve("launches"));
  }

  private static long counter(String name) {
    return CharonNodes.current().orElseThrow().node().status().launches().counters().get(name);
  }

  private Path procs() {
    return directory.resolve(
        "cgroup/charon/best-effort/" + container.getContainerId() + "/cgroup.procs");
  }

  private void withCgroups() throws IOException {
    configuration.setBoolean("yarn.nodemanager.charon.cgroup.enabled", true);
    FakeMachine machine = FakeMachine.v2(directory);
    for (String cgroup : List.of("charon", "charon/production", "charon/best-effort")) {
      machine.file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu memory\n");
    }
    machine.detect("/charon"); // writes the files of proc
  }

  private int runEndingWith(String... codes) throws Exception {
    Files.write(shared.resolve("codes"), List.of(codes));
    Files.writeString(shared.resolve("procs"), procs().toString());
    List<String> directories = List.of(directory.resolve("local").toString());
    org.apache.hadoop.fs.Path file = hadoop(directory.resolve("file"));
    executor.activateContainer(container.getContainerId(), hadoop(directory.resolve("pid")));
    return executor.launchContainer(
        new ContainerStartContext.Builder()
            .setContainer(container)
            .setNmPrivateContainerScriptPath(file)
            .setNmPrivateTokensPath(file)
            .setUser("alice")
            .setAppId("application_1")
            .setContainerWorkDir(hadoop(directory.resolve("work")))
            .setLocalDirs(directories)
            .setLogDirs(directories)
            .setFilecacheDirs(directories)
            .setUserLocalDirs(directories)
            .setContainerLocalDirs(directories)
            .setContainerLogDirs(directories)
            .setUserFilecacheDirs(directories)
            .setApplicationLocalDirs(directories)
            .setLocalizedResources(Map.of())
            .build());
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri().getPath());
  }
}
