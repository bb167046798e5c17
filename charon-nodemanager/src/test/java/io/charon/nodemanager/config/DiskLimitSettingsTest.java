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
class DiskLimitSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "enforce, enforce, true, ENFORCE",
    "enforce, observe, true, OBSERVE",
    "observe, enforce, true, OBSERVE",
    "off, enforce, true, OFF",
    "threshold, enforce, true, OFF",
    "enforce, enforce, false, OFF"
  })
  void nothingIsDoneThatTheNodeDoesNot(
      String node, String disk, String cgroups, RegulatorMode effective) {
    assertThat(
            TestSettings.of("mode", node, "disk-limit.mode", disk, "cgroup.enabled", cgroups)
                .regulators()
                .of(DiskLimitSettings.class)
                .mode())
        .isEqualTo(effective);
  }

  @Test
  void whatIsOutOfRangeIsNamed() {
    assertThatThrownBy(
            () -> TestSettings.of("disk-limit.mode", "on", "disk-limit.share-percent", "0"))
        .hasMessageContaining("disk-limit.mode is 'on'; it must be one of off, observe, enforce")
        .hasMessageContaining(
            "disk-limit.share-percent is '0'; it must be a whole number from 1 to 100");
  }
}
