/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Change;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SharedLinkRegulatorTest {
  private final SharedLinkRegulator regulator = new SharedLinkRegulator();

  @Test
  void bestEffortMayHaveNearlyAllOfTheLinkAtOnceAndWhateverTheForegroundSends() {
    Decision first = decide(0, OptionalDouble.of(0), 1000);
    assertThat(first.limit()).isEqualTo(950);
    assertThat(first.change()).isEqualTo(Change.WIDEN);
    assertThat(first.cause()).isEqualTo(Cause.SHARED);
    assertThat(first.range()).isEmpty();
    assertThat(decide(1, OptionalDouble.of(1000), 1000).change()).isEqualTo(Change.KEEP);
    assertThat(decide(2, OptionalDouble.empty(), 1000).limit()).isEqualTo(950);
  }

  @Test
  void theLimitFollowsTheLink() {
    assertThat(decide(0, OptionalDouble.of(0), 0).limit()).isZero();
    assertThat(decide(1, OptionalDouble.of(0), 200).limit()).isEqualTo(190);
    assertThat(decide(2, OptionalDouble.of(0), 100).change()).isEqualTo(Change.TIGHTEN);
  }

  private Decision decide(long seconds, OptionalDouble sent, double capacity) {
    return regulator.decide(new Observation(seconds * 1_000_000_000L, sent, capacity));
  }
}
