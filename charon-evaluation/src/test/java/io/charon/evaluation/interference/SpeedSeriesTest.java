/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.evaluation.interference.SpeedSeries.Interval;
import io.charon.evaluation.interference.SpeedSeries.Mark;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SpeedSeriesTest {
  private static final long SECOND = 1_000_000_000;
  private static final Offset<Double> EXACT = within(1e-9);

  @Test
  void whatIsOutsideOfTheSpanIsCutOff() {
    List<Mark> marks =
        List.of(new Mark(0, 0, 0), new Mark(2 * SECOND, 0, 200), new Mark(4 * SECOND, 0, 1200));
    SpeedSeries series = SpeedSeries.between(marks, SECOND, 3 * SECOND, true);
    assertThat(series.intervals()).containsExactly(new Interval(1, 100), new Interval(1, 500));
  }

  @Test
  void timeInWhichItWaitedForAProcessorCountsOnlyWhereThatIsAsked() {
    List<Mark> marks = List.of(new Mark(0, 0, 0), new Mark(SECOND, 3 * SECOND / 4, 100));
    assertThat(SpeedSeries.between(marks, 0, SECOND, false).intervals())
        .containsExactly(new Interval(0.25, 100));
    assertThat(SpeedSeries.between(marks, 0, SECOND, true).intervals())
        .containsExactly(new Interval(1, 100));
  }

  @Test
  void silenceAtTheEndIsNoWork() {
    List<Mark> marks = List.of(new Mark(0, 0, 0), new Mark(SECOND, 0, 100));
    assertThat(SpeedSeries.between(marks, 0, 5 * SECOND, true).shareBelow(1)).isCloseTo(0.8, EXACT);
    assertThat(SpeedSeries.between(marks, 0, SECOND + SECOND / 10, true).shareBelow(1)).isZero();
    assertThat(SpeedSeries.between(List.of(), 0, SECOND, true).shareBelow(1)).isCloseTo(1, EXACT);
  }

  /** One long interval without progress outweighs many short ones. */
  @Test
  void theMedianWeighsByTime() {
    SpeedSeries series =
        new SpeedSeries(
            List.of(new Interval(0.1, 100), new Interval(0.1, 100), new Interval(5, 5)));
    assertThat(series.median()).hasValue(1);
    assertThat(series.shareBelow(500)).isCloseTo(5 / 5.2, EXACT);
    assertThat(new SpeedSeries(List.of()).shareBelow(500)).isZero();
    assertThat(new SpeedSeries(List.of()).median()).isEmpty();
  }

  @Test
  void fullSpeedIsReachedOnceItLasts() {
    Interval slow = new Interval(0.1, 1);
    Interval fast = new Interval(0.1, 100);
    SpeedSeries series =
        new SpeedSeries(List.of(slow, fast, slow, slow, slow, slow, fast, fast, fast, fast, fast));
    assertThat(series.secondsTo(900)).hasValueCloseTo(0.6, EXACT);
    assertThat(series.secondsTo(1100)).isEmpty();
    assertThat(series.secondsTo(1)).hasValue(0);
  }
}
