/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemoryBoundTest {
  private static final long MIB = 1 << 20;

  private final List<OptionalLong> bounds = new ArrayList<>();
  private final MemoryBound bound = new MemoryBound(Optional.of(bounds::add));

  @Test
  void launchesAreBoundedUntilItIsUndone() {
    assertThat(bound.limit(100.9 * MIB)).isEqualTo("best-effort may hold 100 MiB");
    bound.undo();
    assertThat(bounds).containsExactly(OptionalLong.of((long) (100.9 * MIB)), OptionalLong.empty());
  }

  @Test
  void whereStockYarnDecidesItIsUnavailable() {
    assertThat(new MemoryBound(Optional.empty()).unavailable())
        .get()
        .asString()
        .contains("yarn.nodemanager.charon.mode");
    assertThat(bound.unavailable()).isEmpty();
  }
}
