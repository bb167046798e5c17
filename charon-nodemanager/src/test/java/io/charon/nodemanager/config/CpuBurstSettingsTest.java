/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class CpuBurstSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "enforce, enforce, true, ENFORCE",
    "enforce, observe, true, OBSERVE",
    "enforce, off, true, OFF",
    "observe, enforce, true, OBSERVE",
    "off, enforce, true, OFF",
    "threshold, enforce, true, OFF",
    "enforce, enforce, false, OFF"
  })
  void nothingIsDoneThatTheNodeDoesNot(
      String node, String burst, String cgroups, RegulatorMode effective) {
    assertThat(
            TestSettings.of("mode", node, "cpu-burst.mode", burst, "cgroup.enabled", cgroups)
                .regulators()
                .of(CpuBurstSettings.class)
                .mode())
        .isEqualTo(effective);
  }

  @Test
  void whatWasFoundIsKeptWhereContainersOutliveTheNodeManager() throws Exception {
    Configuration configuration = TestSettings.configuration();
    configuration.set("yarn.nodemanager.recovery.dir", "/var/lib/yarn");
    assertThat(TestSettings.read(configuration).regulators().of(CpuBurstSettings.class).memory())
        .isEmpty();
    configuration.setBoolean("yarn.nodemanager.recovery.enabled", true);
    assertThat(TestSettings.read(configuration).regulators().of(CpuBurstSettings.class).memory())
        .contains(Path.of("/var/lib/yarn/charon-cpu-quotas.properties"));
  }

  @Test
  void yarnSaysWhereItGivesQuotas() throws Exception {
    Configuration configuration = TestSettings.configuration();
    configuration.set("yarn.nodemanager.linux-container-executor.cgroups.hierarchy", "/a/../b/c/");
    assertThat(
            TestSettings.read(configuration).regulators().of(CpuBurstSettings.class).yarnCgroup())
        .isEqualTo(Path.of("b/c"));
  }

  @Test
  void whatIsOutOfRangeIsNamed() {
    assertThatThrownBy(() -> TestSettings.of("cpu-burst.mode", "pool", "cpu-burst.factor", "21"))
        .hasMessageContaining("cpu-burst.mode is 'pool'; it must be one of off, observe, enforce")
        .hasMessageContaining("cpu-burst.factor is '21'; it must be a whole number from 1 to 20");
  }
}
