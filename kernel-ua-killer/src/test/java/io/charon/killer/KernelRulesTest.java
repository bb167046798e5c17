/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.kill.ThrashDetector;
import io.charon.core.kill.VictimChoice;
import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.kill.VictimChoice.Policy;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the same samples through the BPF program in the kernel and the same laws in Java. */
class KernelRulesTest {
  private static final Path HELPER = Path.of("target/native/ua-killer");
  private static final long FLAT = 1_000_000_000L;
  private static final long MIN_PAGES = 10;
  private static Process process;
  private static BufferedWriter input;
  private static BufferedReader output;

  @BeforeAll
  static void startTheKernelsRules() throws IOException, InterruptedException {
    skipUnless(Files.isExecutable(HELPER), "not built: make -C src/main/native");
    skipUnless(selfTest(), "this machine runs no BPF programs for this user");
    process = new ProcessBuilder(HELPER.toString(), "rules").start();
    input = process.outputWriter(StandardCharsets.US_ASCII);
    output = process.inputReader(StandardCharsets.US_ASCII);
  }

  private static void skipUnless(boolean condition, String reason) {
    if (!condition) {
      System.out.println("SKIPPED KernelRulesTest: " + reason);
    }
    assumeTrue(condition, reason);
  }

  private static boolean selfTest() throws IOException, InterruptedException {
    Process test =
        new ProcessBuilder(HELPER.toString(), "self-test", "--json")
            .redirectErrorStream(true)
            .start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return test.waitFor() == 0 && !said.contains("\"tier\":3");
  }

  @AfterAll
  static void stopTheKernelsRules() throws IOException, InterruptedException {
    if (process != null) {
      input.close();
      assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void seriesAreJudgedAlike(long seed) {
    Random random = new Random(seed);
    long tolerance = random.nextLong(4) * 700_000_000L;
    ThrashDetector twin =
        new ThrashDetector(Duration.ofNanos(tolerance), Duration.ofNanos(FLAT), MIN_PAGES);
    String state = "0 0 0 0 0";
    long now = 1 + random.nextLong(1_000_000);
    long pages = random.nextInt(1000);
    int thrashed = 0;
    for (int i = 0; i < 400; i++) {
      boolean counts = random.nextInt(20) > 0;
      String answer =
          ask(
              "%s %d %d %d %d %d %d 0 0 0 0 0 0 0 0"
                  .formatted(state, now, pages, tolerance, FLAT, MIN_PAGES, counts ? 1 : 0));
      List<String> fields = fields(answer);
      boolean thrash = twin.observe(now, pages, counts);
      assertThat(fields.get(5)).as("sample %d of seed %d", i, seed).isEqualTo(thrash ? "1" : "0");
      long start = Long.parseLong(fields.get(4));
      assertThat(twin.streakNanos().orElse(-1))
          .isEqualTo(start == 0 ? -1 : Long.parseLong(fields.get(3)) - start);
      thrashed += thrash ? 1 : 0;
      state = String.join(" ", fields.subList(0, 5));
      now += random.nextInt(15) == 0 ? 600_000_000 + random.nextLong(600_000_000) : 100_000_000;
      pages =
          random.nextInt(100) == 0 ? 0 : pages + (random.nextInt(3) == 0 ? 0 : random.nextInt(40));
    }
    assertThat(tolerance == 0 || thrashed > 0).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void ranksAreAlike(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      boolean byScore = random.nextBoolean();
      Policy policy = byScore ? Policy.SCORE : Policy.MEMORY_PER_TIME;
      long memory = random.nextLong(1L << random.nextInt(1, 52));
      long swap = random.nextLong(1L << random.nextInt(1, 52));
      long anonymous = random.nextLong(memory + 1);
      boolean refills = random.nextBoolean();
      boolean fileThrash = random.nextBoolean();
      Candidate candidate =
          new Candidate(
              i,
              VictimChoice.freesBytes(anonymous + swap, memory - anonymous, refills, fileThrash),
              random.nextLong(1L << random.nextInt(1, 41)),
              random.nextInt(-5, 1001));
      String answer =
          ask(
              "0 0 0 0 0 1 0 0 1 1 1 %d %d %d %d %d %d %d %d"
                  .formatted(
                      memory,
                      swap,
                      anonymous,
                      candidate.ageMillis(),
                      refills ? 1 : 0,
                      fileThrash ? 1 + random.nextInt(2) : 0,
                      candidate.score(),
                      byScore ? 1 : 0));
      assertThat(fields(answer).get(6))
          .isEqualTo(Long.toString(new VictimChoice(policy).rank(candidate)));
    }
  }

  private static List<String> fields(String answer) {
    return Arrays.asList(answer.split(" ", -1));
  }

  private static String ask(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
      return output.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
