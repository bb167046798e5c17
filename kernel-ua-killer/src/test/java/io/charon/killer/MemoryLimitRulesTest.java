/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.law.memorylimit.LimitBasis;
import io.charon.core.law.memorylimit.LimitDecision;
import io.charon.core.law.memorylimit.MemoryLimitLaw;
import io.charon.core.law.memorylimit.MemoryLimitLaw.FastSample;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the same samples through the tool's law and through the same law in Java. */
class MemoryLimitRulesTest {
  private static final Path TOOL = Path.of("target/native/ua-killer");
  private static final long MB = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void samplesAreDecidedAlike(long seed) throws IOException, InterruptedException {
    boolean built = Files.isExecutable(TOOL);
    if (!built) {
      System.out.println("SKIPPED MemoryLimitRulesTest: not built: make -C src/main/native");
    }
    assumeTrue(built, "not built: make -C src/main/native");
    Process process = new ProcessBuilder(TOOL.toString(), "memory-limit", "rules").start();
    try (BufferedWriter input = process.outputWriter(StandardCharsets.US_ASCII);
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
      assertThat(compare(new Random(seed), input, output))
          .as("every move was made")
          .contains(LimitDecision.Move.STAY, LimitDecision.Move.TAKE, LimitDecision.Move.GIVE);
    } finally {
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Set<LimitDecision.Move> compare(
      Random random, BufferedWriter input, BufferedReader output) throws IOException {
    OptionalLong adopted =
        random.nextBoolean() ? OptionalLong.of(random.nextLong(400 * MB)) : OptionalLong.empty();
    MemoryLimitLaw twin = new MemoryLimitLaw(adopted);
    input.write("law %d\n".formatted(adopted.orElse(Long.MAX_VALUE)));
    Set<LimitDecision.Move> moves = EnumSet.noneOf(LimitDecision.Move.class);
    long boundary = (100 + random.nextLong(300)) * MB + random.nextLong(MB);
    long now = random.nextLong(1L << 40);
    long best = 0;
    long others = random.nextLong(boundary);
    LimitBasis basis = basis(random, boundary, others);
    for (int i = 0; i < 1000; i++) {
      now += random.nextInt(200) == 0 ? -random.nextLong(1L << 35) : random.nextLong(1L << 30);
      if (random.nextInt(8) == 0) {
        others = random.nextLong(boundary);
        best = random.nextLong(boundary - others);
      }
      if (random.nextInt(5) == 0) {
        basis = basis(random, boundary, others);
      }
      boolean raise = random.nextInt(10) > 0;
      FastSample look =
          new FastSample(now, others + best, best, random.nextLong(64 * MB) - 16 * MB);
      input.write(words(look, basis, raise));
      input.flush();
      LimitDecision decision = twin.decide(look, basis, raise);
      assertThat(output.readLine())
          .as("sample %d", i)
          .isEqualTo(
              "%d %s %d %d %d"
                  .formatted(
                      decision.limitBytes(),
                      decision.move(),
                      decision.dueBytes(),
                      decision.freeBytes(),
                      decision.excessBytes()));
      moves.add(decision.move());
    }
    return moves;
  }

  private static LimitBasis basis(Random random, long boundary, long others) {
    return new LimitBasis(
        boundary,
        16 * MB + random.nextLong(16 * MB),
        Math.max(0, others + random.nextLong(32 * MB) - 16 * MB),
        random.nextLong(8 * MB),
        random.nextLong(others + 1),
        random.nextLong(64 * MB),
        random.nextInt(3) == 0 ? random.nextLong(64 * MB) : 0,
        random.nextBoolean());
  }

  private static String words(FastSample look, LimitBasis basis, boolean raise) {
    return "sample %d %d %d %d %d %d %d %d %d %d %d %d %d\n"
        .formatted(
            look.nanos(),
            look.nodeBytes(),
            look.bestEffortBytes(),
            look.cleanGrownBytes(),
            basis.boundaryBytes(),
            basis.reserveBytes(),
            basis.othersBytes(),
            basis.swapBytes(),
            basis.excessBytes(),
            basis.owedBytes(),
            basis.claimBytes(),
            basis.growsIntoExcess() ? 1 : 0,
            raise ? 1 : 0);
  }
}
