/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemorySnapshotTest {
  private final MemorySnapshot snapshot = new MemorySnapshot();

  @Test
  void coversNothingBeforeTheFirstReading() {
    assertThat(snapshot.isKnown()).isFalse();
    assertThat(snapshot.covers(0)).isFalse();
  }

  @Test
  void readingIsReducedByWhatEachContainerIsStillExpectedToGrow() {
    snapshot.charge("notGrownYet", 40);
    snapshot.charge("grownHalfway", 40);
    snapshot.charge("grown", 40);
    snapshot.charge("beyondItsPeak", 40);

    read(200, Map.of("grownHalfway", 15L, "grown", 40L, "beyondItsPeak", 90L, "notCharged", 50L));

    assertThat(snapshot.availableBytes()).isEqualTo(200 - 40 - 25);
  }

  @Test
  void containerBeyondItsPeakGivesBackWhatItUsed() {
    snapshot.charge("beyondItsPeak", 40);
    read(200, Map.of("beyondItsPeak", 90L));
    snapshot.release("beyondItsPeak");
    assertThat(snapshot.availableBytes()).isEqualTo(290);
  }

  @Test
  void containerBelowItsPeakGivesBackItsUseAndItsReserve() {
    snapshot.charge("halfway", 40);
    read(200, Map.of("halfway", 15L));
    assertThat(snapshot.availableBytes()).isEqualTo(175);
    snapshot.release("halfway");
    assertThat(snapshot.availableBytes()).isEqualTo(215);
  }

  @Test
  void laterReadingReplacesTheEarlierUse() {
    snapshot.charge("shrinks", 40);
    read(200, Map.of("shrinks", 90L));
    read(260, Map.of("shrinks", 30L));
    assertThat(snapshot.availableBytes()).isEqualTo(250);
    snapshot.release("shrinks");
    assertThat(snapshot.availableBytes()).isEqualTo(290);
  }

  @Test
  void oneThatCanNoLongerBeReadKeepsItsUse() {
    snapshot.charge("halfway", 40);
    read(200, Map.of("halfway", 15L));
    read(200, Map.of());
    assertThat(snapshot.availableBytes()).isEqualTo(175);
  }

  @Test
  void releasingTwiceOrTheUnknownReturnsNothing() {
    read(100, Map.of());
    snapshot.charge("c", 40);
    snapshot.release("c");
    snapshot.release("c");
    snapshot.release("neverCharged");
    assertThat(snapshot.availableBytes()).isEqualTo(100);
    assertThat(snapshot.charges()).isEmpty();
  }

  @Test
  void chargingTwiceIsRefusedAndChangesNothing() {
    read(100, Map.of());
    snapshot.charge("c", 40);
    assertThatThrownBy(() -> snapshot.charge("c", 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("c is charged already");
    assertThat(snapshot.availableBytes()).isEqualTo(60);
    assertThat(snapshot.charges()).containsExactly(Map.entry("c", 40L));
  }

  @Test
  void chargesAreListedInLaunchOrder() {
    snapshot.charge("z", 1);
    snapshot.charge("a", 2);
    snapshot.charge("m", 3);
    assertThat(snapshot.charges())
        .containsExactly(Map.entry("z", 1L), Map.entry("a", 2L), Map.entry("m", 3L));
  }

  @Test
  void invalidatedSnapshotCoversNothingUntilTheNextReading() {
    read(100, Map.of());
    snapshot.invalidate();
    assertThat(snapshot.covers(1)).isFalse();
    read(100, Map.of());
    assertThat(snapshot.covers(100)).isTrue();
    assertThat(snapshot.covers(101)).isFalse();
  }

  private void read(long availableBytes, Map<String, Long> usedBytes) {
    snapshot.resync(new NodeMemory(1000, availableBytes), usedBytes);
  }
}
