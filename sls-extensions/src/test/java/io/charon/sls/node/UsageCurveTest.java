/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.workload.MemoryCurve;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class UsageCurveTest {
  private static final MemoryCurve CURVE =
      new MemoryCurve(
          List.of(
              new MemoryCurve.Point(0.2, 100, 10),
              new MemoryCurve.Point(0.6, 300, 30),
              new MemoryCurve.Point(0.8, 200, 0)));

  private final UsageCurve usage = new UsageCurve(CURVE);

  @Test
  void valuesAreThoseOfTheWorkloadsCurve() {
    for (double at = 0; at <= 1; at += 0.05) {
      UsageCurve.Piece piece = usage.first().at(at);
      assertThat(piece.anonymousAt(at))
          .isCloseTo((double) CURVE.anonymousBytesAt(at), Offset.offset(0.51));
      assertThat(piece.fileAt(at)).isCloseTo((double) CURVE.fileBytesAt(at), Offset.offset(0.51));
    }
  }

  @Test
  void theIntegralIsTheAreaUnderBoth() {
    // Flat 110 up to 0.2; from 110 to 330 over 0.4; from 330 to 200 over 0.2; flat 200 to the end.
    assertThat(piece(0.1).integralAt(0.1, 110)).isCloseTo(11, Offset.offset(1e-9));
    assertThat(piece(0.4).integralAt(0.4, 220)).isCloseTo(22 + 0.2 * (110 + 220) / 2, offset());
    assertThat(piece(1).integralAt(1, 200)).isCloseTo(22 + 88 + 53 + 40, offset());
  }

  @Test
  void peaksAreThoseStillToComeOrWithinARange() {
    assertThat(piece(0.1).highestFrom(110)).isEqualTo(330);
    assertThat(piece(0.7).highestFrom(265)).isEqualTo(265);
    assertThat(usage.first().peakWithin(0, 1, 0, 0.4)).isCloseTo(220, offset());
    assertThat(usage.first().peakWithin(0.4, 1, 0, 0.4)).isCloseTo(330, offset());
  }

  private UsageCurve.Piece piece(double progress) {
    return usage.first().at(progress);
  }

  private static Offset<Double> offset() {
    return Offset.offset(1e-6);
  }
}
