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

/** Measures how often the test gives each verdict for synthetic services whose effect is known. */
public final class PowerCurve {
  private final ContentionTest test;
  private final Settings settings;

  /**
   * The verdicts for one synthetic service.
   *
   * @param truth the service
   * @param draws number of recordings that were judged
   * @param significant number of recordings with a significant effect, however small
   * @param suffers number of recordings with this verdict
   * @param fine number of recordings with this verdict
   * @param naive number of recordings in which a test that assumes independent noise finds an
   *     effect
   * @param meanEstimate mean of the estimated effects; not a number without an estimate
   */
  public record Point(
      SyntheticService truth,
      int draws,
      long significant,
      long suffers,
      long fine,
      long naive,
      double meanEstimate) {}

  private record Draw(Verdict verdict, boolean naive) {}

  /** Creates the curve of a test with the given strictness. */
  public PowerCurve(Settings settings) {
    this.settings = settings;
    this.test = new ContentionTest(settings);
  }

  /**
   * Judges recordings of each truth, on all processors.
   *
   * @param draws recordings for each truth, at least 1
   * @param progress receives the number of points done
   */
  public List<Point> of(List<SyntheticService> truths, int draws, IntConsumer progress) {
    List<Point> points = new ArrayList<>();
    for (SyntheticService truth : truths) {
      points.add(point(truth, draws));
      progress.accept(points.size());
    }
    return points;
  }

  private Point point(SyntheticService truth, int draws) {
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
