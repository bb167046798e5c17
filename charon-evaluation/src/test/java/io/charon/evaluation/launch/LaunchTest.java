/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTest {
  @Test
  void onlyItsOwnCgroupCounts() {
    Launch launch =
        new Launch(
            "container_1_0001_01_000002",
            3,
            List.of(
                "4:memory:/bench/best-effort/container_1_0001_01_000002",
                "3:cpu,cpuacct:/bench/best-effort/container_1_0001_01_000003",
                "2:freezer:/other/bench/best-effort/container_1_0001_01_000002",
                "1:blkio:/bench/best-effort",
                "0::/bench/best-effort/container_1_0001_01_000002"));

    assertThat(launch.countHierarchiesBelow("/bench/best-effort")).isEqualTo(2);
    assertThat(launch.countHierarchiesBelow("/bench/production")).isZero();
  }

  @Test
  void aScriptsClockIsReadInEveryLanguage() {
    assertThat(LaunchClock.parse("1700000000.012345")).isEqualTo(1_700_000_000_012_345L);
    assertThat(LaunchClock.parse("1700000000,012345")).isEqualTo(1_700_000_000_012_345L);
    assertThatThrownBy(() -> LaunchClock.parse("")).hasMessageContaining("not a time");
  }

  @Test
  void aClockThatWasSetIsSeen() {
    long offset = LaunchClock.offsetNanos();

    assertThat(LaunchClock.isSteadySince(offset - 1_000_000_000)).isFalse();
  }
}
