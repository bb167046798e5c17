/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class EvictionSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "enforce, enforce, true, ENFORCE, ENFORCE",
    "enforce, observe, true, OBSERVE, OBSERVE",
    "observe, enforce, true, OBSERVE, OBSERVE",
    "off, enforce, true, OFF, OFF",
    "threshold, enforce, true, OFF, OFF",
    "enforce, enforce, false, ENFORCE, OFF"
  })
  void noContainerIsEvictedOnAnIdleNode(
      String node,
      String wanted,
      String cgroups,
      RegulatorMode memory,
      RegulatorMode satisfaction) {
    EvictionSettings settings =
        TestSettings.of(
                "mode", node,
                "evict-line.mode", wanted,
                "evict-psi.mode", wanted,
                "evict-satisfaction.mode", wanted,
                "cgroup.enabled", cgroups)
            .regulators()
            .of(EvictionSettings.class);
    assertThat(settings.line().mode()).isEqualTo(memory);
    assertThat(settings.pressure().mode()).isEqualTo(memory);
    assertThat(settings.satisfaction().mode()).isEqualTo(satisfaction);
  }

  @Test
  void whatContradictsItselfIsNamedWithItsCure() {
    assertThatThrownBy(
            () ->
                TestSettings.of(
                    "evict-line.line-percent", "60",
                    "evict-line.lower-percent", "60",
                    "evict-psi.some-percent", "0",
                    "evict-satisfaction.lower-percent", "81",
                    "eviction.order", "oldest"))
        .hasMessageContaining(
            "evict-line.lower-percent is '60'; it must be less than"
                + " yarn.nodemanager.charon.evict-line.line-percent (60)")
        .hasMessageContaining("evict-psi.some-percent is '0'; it must be a number from 0.1 to 100")
        .hasMessageContaining(
            "evict-satisfaction.upper-percent is '80'; it must be at least"
                + " yarn.nodemanager.charon.evict-satisfaction.lower-percent (81)")
        .hasMessageContaining("eviction.order is 'oldest'; it must be one of newest, largest");
  }
}
