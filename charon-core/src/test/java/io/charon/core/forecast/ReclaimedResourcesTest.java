/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.forecast.ReclaimedResources.Unit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** Tests how much best-effort may use, and which part of it production has reserved. */
class ReclaimedResourcesTest {
  private static ReclaimedResources cores(double reserved, double production, double system) {
    return ReclaimedResources.of(
        Unit.CORES, 32, reserved, ReclaimedResources.belowWaterLine(0.75, 32, production, system));
  }

  @Test
  void whatIsReservedAndIdleBelowTheWaterLineIsReclaimed() {
    // 24 cores below the line, 5 and 1 used: 18 are left; 12 are free, so 6 are production's.
    assertThat(cores(20, 5, 1)).isEqualTo(new ReclaimedResources(Unit.CORES, 12, 6, 18));
  }

  @Test
  void theBufferMayIncludeUnreservedMemory() {
    assertThat(cores(4, 4, 10)).isEqualTo(new ReclaimedResources(Unit.CORES, 28, 0, 10));
  }

  @Test
  void onAnOverCommittedNodeAllOfItIsReclaimed() {
    assertThat(cores(40, 20, 0)).isEqualTo(new ReclaimedResources(Unit.CORES, 0, 4, 4));
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    assertThatThrownBy(() -> ReclaimedResources.belowWaterLine(1.2, 32, 0, 0))
        .hasMessage("water line must be 0 to 1, was 1.2");
    assertThatThrownBy(() -> ReclaimedResources.belowWaterLine(0.5, 32, -1, 0))
        .hasMessageContaining("production's use must not be negative, was -1.0");
    assertThatThrownBy(() -> ReclaimedResources.of(Unit.BYTES, 1, 1, Double.NaN))
        .hasMessage("now must be a number, was NaN");
    assertThatThrownBy(() -> ReclaimedResources.of(Unit.BYTES, 1, Double.NaN, 1))
        .hasMessageContaining("reserved");
  }

  @Property
  void neverNegativeAndNeverMoreThanThereIs(
      @ForAll @DoubleRange(max = 1e12) double capacity,
      @ForAll @DoubleRange(max = 1e12) double reserved,
      @ForAll @DoubleRange(min = -1e12, max = 1e12) double now) {
    ReclaimedResources seen = ReclaimedResources.of(Unit.BYTES, capacity, reserved, now);
    assertThat(seen.reclaimed()).isBetween(0.0, reserved);
    assertThat(seen.free()).isBetween(0.0, capacity);
    assertThat(seen.now()).isBetween(0.0, capacity);
    assertThat(seen.reclaimed()).isLessThanOrEqualTo(seen.now());
    assertThat(seen.free() + seen.reclaimed()).isGreaterThanOrEqualTo(seen.now() * (1 - 1e-12));
  }

  @Property
  void fallsAsProductionUsesMore(
      @ForAll @DoubleRange(max = 64) double reserved,
      @ForAll @DoubleRange(max = 64) double production,
      @ForAll @DoubleRange(max = 64) double more,
      @ForAll @DoubleRange(max = 8) double system) {
    ReclaimedResources before = cores(reserved, production, system);
    ReclaimedResources after = cores(reserved, production + more, system);
    assertThat(after.now()).isLessThanOrEqualTo(before.now());
    assertThat(after.reclaimed()).isLessThanOrEqualTo(before.reclaimed());
    assertThat(after.free()).isEqualTo(before.free());
  }
}
