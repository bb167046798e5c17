/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BestEffortOrderTest {
  private static final List<Path> PARTS =
      List.of(Path.of("p0"), Path.of("p1"), Path.of("p2"), Path.of("p3"), Path.of("p4"));

  @Test
  void submitsAtFixedInstantsUntilTheWindowEnds() {
    List<BestEffortOrder> stream =
        BestEffortOrder.stream(PARTS, 2, Duration.ofSeconds(10), Duration.ofSeconds(30));

    assertThat(stream)
        .extracting(BestEffortOrder::at)
        .containsExactly(Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  @Test
  void kindsAndPartsTakeTurns() {
    List<BestEffortOrder> stream =
        BestEffortOrder.stream(PARTS, 2, Duration.ofSeconds(1), Duration.ofSeconds(4));

    assertThat(stream)
        .extracting(BestEffortOrder::kind)
        .containsExactly(JobKind.WORDCOUNT, JobKind.GREP, JobKind.SORT, JobKind.WORDCOUNT);
    assertThat(stream.get(2).input()).containsExactly(Path.of("p4"), Path.of("p0"));
  }
}
