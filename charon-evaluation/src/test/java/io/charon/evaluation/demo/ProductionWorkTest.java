/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.demo.ProductionWork.BatchResult;
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
  void countsWordsAndDifferentWordsAndReadsWhatItHeldAgain() {
    ProductionWork work = new ProductionWork(1, 100);
    work.hold(ascii("first"));

    BatchResult one = work.add(ascii("a b, a;\n"));
    BatchResult two = work.add(ascii("b c1 c1"));

    assertThat(one.words()).isEqualTo(3);
    assertThat(one.distinct()).isEqualTo(2);
    assertThat(one.leaving()).isEqualTo(ProductionExpectation.fnv1a("first"));
    assertThat(two.words()).isEqualTo(3);
    assertThat(two.leaving()).isEqualTo(one.checksum());
  }

  @Property(tries = 200)
  void agreesWithTheIndependentExpectation(
      @ForAll @Size(min = 1, max = 5) List<@CharRange(from = ' ', to = '~') String> texts,
      @ForAll @IntRange(min = 1, max = 12) int batches,
      @ForAll @IntRange(min = 0, max = 4) int firstPart,
      @ForAll @IntRange(min = 1, max = 7) int heldBatches)
      throws IOException {
    Path directory = Files.createTempDirectory("charon-parts");
    List<Path> parts = new ArrayList<>();
    try {
      for (String text : texts) {
        Path part = directory.resolve("part-" + parts.size());
        parts.add(Files.writeString(part, text));
      }
      ProductionTask task =
          new ProductionTask(
              0, directory, firstPart % parts.size(), batches, heldBatches, 0, directory);

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
    ProductionTask task =
        new ProductionTask(1, Path.of("/in put/x"), 3, 100, 7, 250, Path.of("/ready"));

    assertThat(ProductionTask.parse(task.line())).isEqualTo(task);
  }

  private static List<BatchResult> run(ProductionTask task, List<String> texts) {
    ProductionWork work =
        new ProductionWork(
            task.heldBatches(), texts.stream().mapToInt(String::length).max().orElseThrow());
    List<BatchResult> results = new ArrayList<>();
    for (int number = 0; number < task.unmeasuredBatches() + task.batches(); number++) {
      byte[] text = ascii(texts.get(task.part(number, texts.size())));
      if (number < task.heldBatches()) {
        work.hold(text);
        continue;
      }
      BatchResult result = work.add(text);
      if (number >= task.unmeasuredBatches()) {
        results.add(result);
      }
    }
    return results;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
