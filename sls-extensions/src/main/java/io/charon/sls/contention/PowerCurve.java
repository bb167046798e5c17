/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.contention.ContentionTest.Settings;
import io.charon.sls.contention.Verdict.Effect;
import io.charon.sls.contention.Verdict.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/** How often the test says what about services whose suffering is known. */
public final class PowerCurve {
  private final ContentionTest test;
  private final Settings settings;

  /**
   * What it said of one truth.
   *
   * @param truth what was true
   * @param draws how often it was asked
   * @param significant in how many it found an effect, however small
   * @param suffers in how many it said so
   * @param fine in how many it said so
   * @param naive in how many a test would have found an effect that takes noise for independent
   * @param meanEstimate of the effect
   */
  public record Point(
      Truth truth,
      int draws,
      long significant,
      long suffers,
      long fine,
      long naive,
      double meanEstimate) {}

  private record Draw(Verdict verdict, boolean naive) {}

  /** A curve of a test. */
  public PowerCurve(Settings settings) {
    this.settings = settings;
    this.test = new ContentionTest(settings);
  }

  /**
   * Asks about each truth so many times; on all processors.
   *
   * @param draws at least 1
   * @param progress told how many points there are
   */
  public List<Point> of(List<Truth> truths, int draws, IntConsumer progress) {
    List<Point> points = new ArrayList<>();
    for (Truth truth : truths) {
      points.add(point(truth, draws));
      progress.accept(points.size());
    }
    return points;
  }

  private Point point(Truth truth, int draws) {
    List<Draw> all =
        LongStream.rangeClosed(1, draws)
            .parallel()
            .mapToObj(
                seed -> {
                  List<Interval> intervals = truth.draw(seed);
                  return new Draw(
                      test.judge(intervals), test.naiveChance(intervals) <= settings.chance());
                })
            .toList();
    List<Verdict> verdicts = all.stream().map(Draw::verdict).toList();
    return new Point(
        truth,
        draws,
        verdicts.stream().filter(v -> v.effect().filter(Effect::significant).isPresent()).count(),
        verdicts.stream().filter(v -> v.kind() == Kind.SUFFERS).count(),
        verdicts.stream().filter(v -> v.kind() == Kind.FINE).count(),
        all.stream().filter(Draw::naive).count(),
        verdicts.stream()
            .flatMap(v -> v.effect().stream())
            .mapToDouble(Effect::estimate)
            .average()
            .orElse(Double.NaN));
  }
}
