/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.container.LaunchPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The behaviour that Charon requires of the program that LinuxContainerExecutor calls. The stand-in
 * of these tests and Hadoop's own program ({@code CONTAINER_EXECUTOR}) must both have it.
 */
@ContainerProgram.Needed
class ContainerProgramIT {
  private static final String APPLICATION = "application_1700000000000_0001";
  private static final String CONTAINER = "container_1700000000000_0001_01_000002";
  private static final String INITIALIZE = "0";
  private static final String LAUNCH = "1";
  private static final String SIGNAL = "2";
  private static final String DELETE = "3";
  private static final String LIST = "5";
  private static final int NO_PROCESS = 9;
  private static final int CGROUP_FAILED = 27;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private Path work;
  private Path said;
  private Path cgroup;

  @BeforeEach
  void prepare() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    said = Files.createDirectory(directory.resolve("said"));
    Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (String name : List.of("local/usercache", "logs", "private")) {
      Files.createDirectories(directory.resolve(name));
    }
    work =
        directory.resolve(
            "local/usercache/%s/appcache/%s/%s"
                .formatted(ContainerProgram.USER, APPLICATION, CONTAINER));
    Files.writeString(directory.resolve("private/container_tokens"), "tokens");
    Path memory = Path.of("/sys/fs/cgroup/memory");
    cgroup =
        Files.createDirectory(
            (Files.isDirectory(memory) ? memory : Path.of("/sys/fs/cgroup"))
                .resolve("charon-it-program-" + ProcessHandle.current().pid()));
  }

  /** Kills what a failed test has left in the cgroup. */
  @AfterEach
  void removeCgroup() throws Exception {
    await(
        "the container is gone",
        () -> {
          List<String> left = Files.readAllLines(procs());
          left.forEach(
              pid ->
                  ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
          return left.isEmpty();
        });
    Files.delete(cgroup);
  }

  private Path procs() {
    return cgroup.resolve("cgroup.procs");
  }

  @Test
  void itsSetupIsChecked() throws Exception {
    assertThat(call(List.of(), "--checksetup")).isZero();
  }

  @Test
  void aContainerIsBornInItsCgroupWithItsScoreAsItsUser() throws Exception {
    script(
        "id -u; cat /proc/self/oom_score_adj /proc/self/cgroup; pwd; echo $#; test -w tmp && echo tmp",
        "exit 7");

    assertThat(launch("cgroups=" + procs() + "%" + procs())).isEqualTo(7);

    List<String> lines = Files.readAllLines(said.resolve("first"));
    assertThat(lines)
        .startsWith(Long.toString(ContainerProgram.userId()), "600")
        .anyMatch(line -> line.endsWith(":/" + cgroup.getFileName()))
        .endsWith(work.toString(), "0", "tmp");
    assertThat(directory.resolve("private/container.pid.exitcode")).hasContent("7");
  }

  @Test
  void withoutCgroupsItStaysWhereTheNodeManagerIs() throws Exception {
    script("cat /proc/self/cgroup", "exit 0");

    assertThat(launch("cgroups=none")).isZero();

    assertThat(said.resolve("first"))
        .hasContent(Files.readString(Path.of("/proc/self/cgroup")).strip());
  }

  @Test
  void aFileThatTakesNoProcessIsRefusedBeforeAnythingOfTheUserRuns() throws Exception {
    script("echo ran", "exit 0");

    assertThat(launch("cgroups=" + cgroup.resolve("missing/cgroup.procs")))
        .isEqualTo(CGROUP_FAILED);
    assertThat(said.resolve("first")).doesNotExist();

    assertThat(launch("cgroups=" + procs())).as("it may be tried again").isZero();
    assertThat(said.resolve("first")).hasContent("ran");
  }

  @Test
  void itsWholeSessionGetsSignalsAsItsUser() throws Exception {
    script("echo started", "sleep 600 & sleep 600");
    CompletableFuture<Integer> exit =
        CompletableFuture.supplyAsync(() -> launchUnchecked("cgroups=" + procs()));
    await("it runs", () -> Files.exists(said.resolve("first")));
    String pid = Files.readString(directory.resolve("private/container.pid")).strip();

    assertThat(asUser(SIGNAL, pid, "0")).as("alive").isZero();
    assertThat(asUser(SIGNAL, pid, "9")).isZero();

    assertThat(exit.get()).isEqualTo(137);
    await("all of it is gone", () -> Files.readString(procs()).isEmpty());
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor(30, TimeUnit.SECONDS)).as("true ends within 30 s").isTrue();
    assertThat(asUser(SIGNAL, Long.toString(ended.pid()), "0"))
        .as("not alive")
        .isEqualTo(NO_PROCESS);
  }

  @Test
  void filesOfTheUserAreListedAndDeleted() throws Exception {
    script("echo mine > " + work + "/mine", "exit 0");
    assertThat(launch("cgroups=none")).isZero();

    assertThat(asUser(LIST, work.toString())).isZero();
    assertThat(Files.readString(directory.resolve("log"))).contains("mine");
    assertThat(asUser(DELETE, work.toString())).isZero();
    assertThat(work).doesNotExist();
  }

  @Test
  void whatLocalizesFilesRunsAsTheUser() throws Exception {
    assertThat(
            asUser(
                INITIALIZE,
                APPLICATION,
                CONTAINER,
                directory.resolve("private/container_tokens").toString(),
                directory.resolve("local").toString(),
                directory.resolve("logs").toString(),
                "/bin/sh",
                "-c",
                "id -u > " + said.resolve("first")))
        .isZero();

    assertThat(said.resolve("first")).hasContent(Long.toString(ContainerProgram.userId()));
    assertThat(directory.resolve("logs").resolve(APPLICATION)).isDirectory();
  }

  @Test
  void noContainerRunsAsRootOrAsAnUnknownUser() throws Exception {
    assertThat(call(List.of(), "root", "root", SIGNAL, "1", "0")).isNotZero();
    assertThat(call(List.of(), "no-such-user", "alice", SIGNAL, "1", "0")).isNotZero();
  }

  private void script(String first, String then) throws IOException {
    Path script = directory.resolve("private/launch_container.sh");
    Files.writeString(
        script,
        "#!/bin/bash\n{ %s; } > %s/.first\nmv %s/.first %s/first\n%s\n"
            .formatted(first, said, said, said, then));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private int launchUnchecked(String resources) {
    try {
      return launch(resources);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private int launch(String resources) throws Exception {
    return call(
        List.of(new LaunchPrefix(600, List.of(), List.of()).command()),
        ContainerProgram.USER,
        ContainerProgram.USER,
        LAUNCH,
        APPLICATION,
        CONTAINER,
        work.toString(),
        directory.resolve("private/launch_container.sh").toString(),
        directory.resolve("private/container_tokens").toString(),
        "--http",
        directory.resolve("private/container.pid").toString(),
        directory.resolve("local").toString(),
        directory.resolve("logs").toString(),
        resources);
  }

  private int asUser(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(ContainerProgram.USER, ContainerProgram.USER));
    all.addAll(List.of(words));
    return call(List.of(), all.toArray(String[]::new));
  }

  /** Calls the program and appends its output to a file. */
  private int call(List<String> prefix, String... words) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(ContainerProgram.path().toString());
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end: " + command);
    }
    return process.exitValue();
  }
}
