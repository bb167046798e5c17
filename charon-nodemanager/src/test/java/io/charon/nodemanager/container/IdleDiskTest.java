/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the real ionice of this machine and its kernel. */
class IdleDiskTest {
  private static final Path PROC = Path.of("/proc");
  private static final ContainerInfo TASK = ContainerInfos.bestEffort("container_1", 1);
  private static final ContainerInfo PRODUCTION = ContainerInfos.production("container_1", 1);

  private static final String SLEEPER =
      """
      class Sleeper {
        public static void main(String[] none) throws Exception {
          System.out.println("runs");
          Thread.sleep(60_000);
        }
      }
      """;

  @TempDir private Path directory;

  private final IdleDisk disk = IdleDisk.find(PROC);

  @Test
  void bestEffortStartsInTheIdleClassAndSoDoWhatItStarts() throws Exception {
    assertThat(outputOf(prefix(TASK), "ionice")).isEqualTo("idle");
    assertThat(outputOf(prefix(TASK), "sh", "-c", "sh -c ionice")).isEqualTo("idle");
  }

  @Test
  void productionStartsAsAnyOther() throws Exception {
    assertThat(disk.commandFor(PRODUCTION)).isEmpty();
    assertThat(outputOf(prefix(PRODUCTION), "ionice")).startsWith("none");
  }

  @Test
  void aRunningContainerIsChangedWithAllItsThreadsAndBack() throws Exception {
    List<String> words = new ArrayList<>(List.of(prefix(TASK).command()));
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            Files.writeString(directory.resolve("Sleeper.java"), SLEEPER).toString()));
    Process jvm = new ProcessBuilder(words).redirectErrorStream(true).start();
    try {
      jvm.inputReader(StandardCharsets.UTF_8).readLine(); // it runs with all its threads
      assertThat(classesOf(jvm.pid())).hasSizeGreaterThan(3).containsOnly("idle");

      disk.change(PRODUCTION, List.of(jvm.pid()));
      assertThat(classesOf(jvm.pid())).isNotEmpty().noneMatch(name -> name.equals("idle"));

      disk.change(TASK, List.of(jvm.pid()));
      assertThat(classesOf(jvm.pid())).isNotEmpty().containsOnly("idle");
    } finally {
      jvm.destroyForcibly();
    }
  }

  @Test
  void anEndedContainerDoesNotPreventChangesOfOthers() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Process running = new ProcessBuilder("sleep", "60").start();
    try {
      disk.change(TASK, List.of(ended.pid(), running.pid()));

      assertThat(classesOf(running.pid())).containsExactly("idle");
    } finally {
      running.destroyForcibly();
    }
  }

  @Test
  void withoutTheProgramContainersStartAsBefore() {
    for (Path program : List.of(Path.of("/nowhere/ionice"), Path.of("/bin/false"))) {
      IdleDisk without = IdleDisk.find(PROC, List.of(program));

      assertThat(without.commandFor(TASK)).isEmpty();
      without.change(PRODUCTION, List.of(ProcessHandle.current().pid()));
    }
    assertThat(IdleDisk.notWanted(PROC).commandFor(TASK)).isEmpty();
  }

  private LaunchPrefix prefix(ContainerInfo container) {
    return new LaunchPrefix(1000, List.of(), disk.commandFor(container));
  }

  private static String outputOf(LaunchPrefix prefix, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(prefix.command()));
    words.addAll(List.of(command));
    return outputOf(words);
  }

  private static String outputOf(List<String> words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private static List<String> classesOf(long process) throws IOException {
    List<String> classes = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(PROC.resolve(process + "/task"))) {
      for (Path task : tasks.toList()) {
        String said = outputOf(List.of("ionice", "-p", task.getFileName().toString()));
        if (Files.exists(task)) {
          classes.add(said);
        }
      }
    }
    return classes;
  }
}
