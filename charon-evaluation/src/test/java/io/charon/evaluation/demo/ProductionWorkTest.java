/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.demo.ProductionWork.PhaseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ProductionWorkTest {
  @Test
  void countsWordsAndDifferentWords() {
    ProductionWork work = new ProductionWork(Long.MAX_VALUE);

    assertThat(work.add(ascii("a b, a;\n"))).isEmpty();
    assertThat(work.add(ascii("b c1 c1"))).isEmpty();
    PhaseResult result = work.finishPhase().orElseThrow();

    assertThat(result.words()).isEqualTo(6);
    assertThat(result.distinct()).isEqualTo(3);
  }

  @Test
  void forgetsAPhaseOnceItIsFull() {
    ProductionWork work = new ProductionWork(10);

    assertThat(work.add(ascii("one two")))
        .hasValueSatisfying(r -> assertThat(r.words()).isEqualTo(2));
    assertThat(work.finishPhase()).isEmpty();
  }

  @Property(tries = 200)
  void agreesWithTheIndependentExpectation(
      @ForAll @Size(min = 1, max = 5) List<@CharRange(from = ' ', to = '~') String> texts,
      @ForAll @IntRange(min = 1, max = 12) int batches,
      @ForAll @IntRange(min = 0, max = 4) int firstPart,
      @ForAll @IntRange(min = 1, max = 400) int phaseBytes)
      throws IOException {
    Path directory = Files.createTempDirectory("charon-parts");
    List<Path> parts = new ArrayList<>();
    try {
      for (String text : texts) {
        Path part = directory.resolve("part-" + parts.size());
        parts.add(Files.writeString(part, text));
      }
      ProductionTask task =
          new ProductionTask(0, directory, firstPart % parts.size(), batches, phaseBytes, 0);

      assertThat(run(task, texts)).isEqualTo(new ProductionExpectation(parts).of(task));
    } finally {
      for (Path part : parts) {
        Files.delete(part);
      }
      Files.delete(directory);
    }
  }

  @Test
  void anOrderSurvivesItsLineOfInput() {
    ProductionTask task = new ProductionTask(1, Path.of("/in put/x"), 3, 100, 1L << 31, 250);

    assertThat(ProductionTask.parse(task.line())).isEqualTo(task);
  }

  private static List<PhaseResult> run(ProductionTask task, List<String> texts) {
    ProductionWork work = new ProductionWork(task.phaseBytes());
    List<PhaseResult> results = new ArrayList<>();
    for (int batch = 0; batch < task.batches(); batch++) {
      String text = texts.get((task.firstPart() + batch) % texts.size());
      work.add(ascii(text)).ifPresent(results::add);
    }
    work.finishPhase().ifPresent(results::add);
    return results;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
