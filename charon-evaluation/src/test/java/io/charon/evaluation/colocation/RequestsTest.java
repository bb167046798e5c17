/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RequestsTest {
  private static final Requests REQUESTS =
      new Requests(
          List.of(
              new Requests.Answer(0, 2_000_000),
              new Requests.Answer(1_000_000, 5_000_000),
              new Requests.Answer(4_000_000, 1_000_000),
              new Requests.Answer(9_000_000, 8_000_000)),
          List.of());

  @Test
  void percentilesAreByNearestRank() {
    assertThat(REQUESTS.percentileMillis(50)).hasValue(2);
    assertThat(REQUESTS.percentileMillis(95)).hasValue(8);
    assertThat(REQUESTS.meanMillis()).hasValue(4);
    assertThat(Requests.NONE.percentileMillis(95)).isEmpty();
  }

  @Test
  void failedRequestsAreTheSlowestOnesOfTheTail() {
    List<Requests.Answer> answers =
        LongStream.range(0, 90).mapToObj(n -> new Requests.Answer(n, 1_000_000)).toList();
    List<Requests.Answer> failures =
        LongStream.range(90, 100).mapToObj(n -> new Requests.Answer(n, 30_000_000_000L)).toList();
    Requests requests = new Requests(answers, failures);

    assertThat(requests.percentileMillis(90)).hasValue(1);
    assertThat(requests.percentileMillis(95)).hasValue(30_000);
    assertThat(requests.meanMillis()).hasValue(3000.9);
    assertThat(requests.between(80, 95).failed()).hasSize(5);
    assertThat(requests.answeredBetween(0, 60_000_000_000L)).isEqualTo(90);
  }

  /**
   * The requests are 200 of 1 ms, 200 later ones of 4 ms, which are listed first, and 199 more,
   * which are too few for a part.
   */
  @Test
  void theFluctuationIsOfPartsInTheOrderInWhichTheyWereDue() {
    List<Requests.Answer> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(new Requests.Answer(1_000 + i, 4_000_000));
    }
    for (int i = 0; i < 200; i++) {
      answers.add(new Requests.Answer(i, 1_000_000));
    }
    for (int i = 0; i < 199; i++) {
      answers.add(new Requests.Answer(2_000 + i, 9_000_000));
    }
    assertThat(new Requests(answers, List.of()).fluctuation().steps()).containsExactly(0.75);
    assertThat(REQUESTS.fluctuation().mean()).isEmpty();
  }

  @Test
  void countsByWhenItWasDueOrAnswered() {
    assertThat(REQUESTS.between(1_000_000, 9_000_000).answered()).hasSize(2);
    // The requests were answered at 2, 6, 5 and 17 ms.
    assertThat(REQUESTS.answeredBetween(2_000_000, 6_000_000)).isEqualTo(2);
  }
}
