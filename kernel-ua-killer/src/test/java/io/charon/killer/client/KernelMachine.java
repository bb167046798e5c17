/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The real tool, loaded into this kernel under a bpffs of its own, with one domain and a helper
 * that serves a socket; everything is removed when it is closed.
 */
final class KernelMachine implements AutoCloseable {
  /** A group without members: a process that runs with it has no other permissions. */
  static final int GROUP = 64_999;

  private static final Path MEMORY =
      Files.isDirectory(Path.of("/sys/fs/cgroup/memory"))
          ? Path.of("/sys/fs/cgroup/memory")
          : Path.of("/sys/fs/cgroup");

  private final Path tool = Path.of("target/native/ua-killer").toAbsolutePath();
  private final Path bpffs;
  private final Path domain;
  private Optional<Process> helper = Optional.empty();

  private KernelMachine(Path bpffs) throws IOException {
    this.bpffs = bpffs;
    this.domain = MEMORY.resolve("charon-client-test-" + ProcessHandle.current().pid());
    Files.createDirectories(domain);
    Path controllers = domain.resolve("cgroup.subtree_control");
    if (Files.exists(controllers)) { // version 2 only
      Files.writeString(controllers, "+memory");
    }
  }

  /** Loads the tool and starts its helper, or skips the test and prints the reason. */
  static KernelMachine load(Path bpffs, String... arguments) throws IOException {
    KernelMachine machine = loadWithoutHelper(bpffs, arguments);
    machine.startHelper(Map.of());
    return machine;
  }

  /** Loads the tool, or skips the test and prints the reason. */
  static KernelMachine loadWithoutHelper(Path bpffs, String... arguments) throws IOException {
    Path tool = Path.of("target/native/ua-killer");
    assumeTrue(
        Files.isExecutable(tool), "no " + tool + ": run make -C kernel-ua-killer/src/main/native");
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root to load BPF programs");
    Files.createDirectories(bpffs);
    KernelMachine machine = new KernelMachine(bpffs);
    List<String> load = new ArrayList<>(List.of("load", "--group", Integer.toString(GROUP)));
    load.addAll(List.of(arguments));
    machine.run(load.toArray(String[]::new));
    machine.run(
        "domain", "add", machine.domain.toString(), "--killable-below", machine.domain.toString());
    return machine;
  }

  Path socket() {
    return bpffs.resolveSibling(bpffs.getFileName() + ".sock");
  }

  /**
   * Starts the helper and waits until it works.
   *
   * @param environment of the helper, in addition to this process's
   * @param arguments of {@code ua-killer reap}, in addition to its socket
   */
  void startHelper(Map<String, String> environment, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("reap", "--socket", socket().toString()));
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command(words)).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    helper = Optional.of(process);
    assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).endsWith("is ready");
  }

  /** Sends the helper a signal: STOP, CONT, TERM. */
  void signalHelper(String signal) throws IOException, InterruptedException {
    long process = helper.orElseThrow().pid();
    assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process)).start().waitFor())
        .isZero();
  }

  void awaitHelperEnd() throws InterruptedException {
    assertThat(helper.orElseThrow().waitFor(20, TimeUnit.SECONDS)).as("it ended").isTrue();
  }

  void endHelper() throws InterruptedException {
    if (helper.isPresent()) {
      helper.get().destroyForcibly();
      assertThat(helper.get().waitFor(10, TimeUnit.SECONDS)).as("the helper ended").isTrue();
      helper = Optional.empty();
    }
  }

  Path domain() {
    return domain;
  }

  Path container(String name) throws IOException {
    return Files.createDirectories(domain.resolve(name));
  }

  /** Lets a program in the container read a file that does not fit, until the program is killed. */
  void thrash(Path container, Path data) throws IOException, InterruptedException {
    String workload = tool.resolveSibling("workload").toString();
    assertThat(new ProcessBuilder(workload, "create", data.toString(), "120").start().waitFor())
        .isZero();
    limit(48 << 20);
    run(
        "set",
        "file-refaults",
        "workingset"); // it is alone: no other container's end would release memory
    Process victim =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ > " + container + "/cgroup.procs; exec \"$@\"",
                "sh",
                workload,
                "file",
                data.toString(),
                "120",
                "2")
            .start();
    try {
      assertThat(victim.waitFor(20, TimeUnit.SECONDS)).as("the thrasher died").isTrue();
    } finally {
      victim.destroyForcibly();
    }
  }

  private void limit(long bytes) throws IOException {
    Path v1 = domain.resolve("memory.limit_in_bytes");
    Files.writeString(Files.exists(v1) ? v1 : domain.resolve("memory.max"), Long.toString(bytes));
  }

  /** Runs the tool and returns what it printed. */
  String run(String... words) {
    List<String> command = command(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(command + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> command(List<String> words) {
    List<String> command = new ArrayList<>(List.of(tool.toString(), "--bpffs", bpffs.toString()));
    command.addAll(words);
    return command;
  }

  @Override
  public void close() throws IOException {
    try {
      endHelper();
      Files.deleteIfExists(socket());
      run("unload");
      Process process = new ProcessBuilder("umount", bpffs.toString()).start();
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    try (var containers = Files.newDirectoryStream(domain, Files::isDirectory)) {
      for (Path container : containers) {
        Files.delete(container);
      }
    }
    Files.delete(domain);
  }
}
