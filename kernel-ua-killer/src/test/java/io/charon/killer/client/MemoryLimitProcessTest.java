/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.law.memorylimit.LimitBasis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the client with the real tool and the real kernel. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryLimitProcessTest {
  private static final long MB = 1 << 20;
  private static final Path MEMORY =
      Files.isDirectory(Path.of("/sys/fs/cgroup/memory"))
          ? Path.of("/sys/fs/cgroup/memory")
          : Path.of("/sys/fs/cgroup");

  private final Path tool = Path.of("target/native/ua-killer").toAbsolutePath();
  private final Path node = MEMORY.resolve("charon-limit-test-" + ProcessHandle.current().pid());
  private final Path bestEffort = node.resolve("best-effort");
  private final Heard heard = new Heard();
  private Optional<MemoryLimitProcess> running = Optional.empty();

  /** Keeps what the process printed. */
  private static final class Heard implements MemoryLimitProcess.Listener {
    private final BlockingQueue<MemoryLimitProcess.Ready> ready = new LinkedBlockingQueue<>();
    private final BlockingQueue<MemoryLimitReport> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();

    @Override
    public void ready(MemoryLimitProcess.Ready said) {
      ready.add(said);
    }

    @Override
    public void reported(MemoryLimitReport report) {
      reports.add(report);
    }

    @Override
    public void printed(String line) {
      words.add(line);
    }

    @Override
    public void ended() {
      ends.add(true);
    }
  }

  @BeforeEach
  void makeNode() throws IOException {
    require(Files.isExecutable(tool), "no target/native/ua-killer: run make -C src/main/native");
    require("root".equals(System.getProperty("user.name")), "needs root to make cgroups");
    Files.createDirectories(node);
    Path controllers = node.resolve("cgroup.subtree_control");
    if (Files.exists(controllers)) { // version 2 only
      Files.writeString(controllers, "+memory");
    }
    Files.createDirectories(bestEffort);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      System.out.println("SKIPPED MemoryLimitProcessTest: " + otherwise);
    }
    assumeTrue(condition, otherwise);
  }

  @AfterEach
  void leaveNothingBehind() throws IOException {
    running.ifPresent(MemoryLimitProcess::close);
    Files.deleteIfExists(bestEffort);
    Files.deleteIfExists(node);
  }

  private MemoryLimitProcess start() throws IOException {
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(MemoryLimitProcess.arguments(bestEffort, Optional.of(node), Optional.empty()));
    MemoryLimitProcess process =
        new MemoryLimitProcess(
            new ProcessBuilder(command).redirectErrorStream(true).start(), heard);
    running = Optional.of(process);
    return process;
  }

  private static MemoryLimitBasis basis(long number, long boundary, boolean enforce) {
    return new MemoryLimitBasis(
        number,
        new LimitBasis(boundary, 16 * MB, 0, 0, 0, 0, 0, false),
        0,
        OptionalLong.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        enforce);
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    return Optional.ofNullable(queue.poll(20, TimeUnit.SECONDS)).orElseThrow();
  }

  private MemoryLimitReport reportOf(long number) throws InterruptedException {
    MemoryLimitReport report = next(heard.reports);
    while (report.number() != number) {
      report = next(heard.reports);
    }
    return report;
  }

  @Test
  void movesTheLimitAsToldAndLeavesItToTheNextOne() throws Exception {
    MemoryLimitProcess process = start();
    MemoryLimitProcess.Ready ready = next(heard.ready);
    assertThat(ready.adoptedBytes()).isEmpty();
    assertThat(ready.limitsSwapAlone()).isTrue();
    process.send(basis(1, 200 * MB, false));
    MemoryLimitReport observed = reportOf(1);
    assertThat(observed.limitBytes()).isBetween(180 * MB, 184 * MB);
    assertThat(observed.enforcedBytes()).as("nothing is enforced").isEmpty();
    process.send(basis(2, 200 * MB, true));
    assertThat(reportOf(2).enforcedBytes().orElseThrow()).isBetween(180 * MB, 184 * MB);
    process.send(basis(3, 100 * MB, true));
    assertThat(reportOf(3).enforcedBytes().orElseThrow()).isBetween(80 * MB, 84 * MB);
    process.close();
    assertThat(next(heard.ends)).isTrue();
    assertThat(process.isAlive()).isFalse();
    assertThatThrownBy(() -> process.send(basis(4, 100 * MB, true)))
        .isInstanceOf(IOException.class);

    start();
    assertThat(next(heard.ready).adoptedBytes().orElseThrow()).isBetween(80 * MB, 84 * MB);
  }

  @Test
  void tellsWhatTheToolDoesNotTake() throws Exception {
    MemoryLimitProcess process = start();
    process.send(basis(1, Long.MAX_VALUE, true));
    String said = next(heard.words);
    while (!said.contains("boundary")) { // it also prints whether it may have real-time priority
      said = next(heard.words);
    }
    assertThat(said).contains("give a whole number");
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void tellsWhyItDidNotStart() throws Exception {
    Files.delete(bestEffort);
    start();
    assertThat(next(heard.words)).contains("best-effort: No such file");
    assertThat(next(heard.ends)).isTrue();
  }

  @Test
  void removingRestoresWhatWasThere() throws Exception {
    Path limit =
        Files.exists(bestEffort.resolve("memory.max"))
            ? bestEffort.resolve("memory.max")
            : bestEffort.resolve("memory.limit_in_bytes");
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(
        MemoryLimitProcess.wordsToRemove(
            bestEffort, Optional.of(node), Optional.empty(), OptionalLong.of(64 * MB)));
    Process remove = new ProcessBuilder(command).inheritIO().start();
    assertThat(remove.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(remove.exitValue()).isZero();
    assertThat(Files.readString(limit).strip()).isEqualTo(Long.toString(64 * MB));
  }
}
