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
class CpuPoolSettingsTest {
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
      String node, String pool, String cgroups, RegulatorMode effective) {
    assertThat(
            TestSettings.of("mode", node, "cpu-pool.mode", pool, "cgroup.enabled", cgroups)
                .regulators()
                .of(CpuPoolSettings.class)
                .mode())
        .isEqualTo(effective);
  }

  @Test
  void withoutANumberTheMachineSaysWhereTheLineIs() {
    assertThat(TestSettings.of().regulators().of(CpuPoolSettings.class).highUse()).isEmpty();
    assertThat(
            TestSettings.of("cpu-pool.high-percent", "45")
                .regulators()
                .of(CpuPoolSettings.class)
                .highUse())
        .hasValue(0.45);
    assertThatThrownBy(() -> TestSettings.of("cpu-pool.high-percent", "101"))
        .hasMessageContaining(
            "cpu-pool.high-percent is '101'; it must be a whole number from 0 to 100");
  }

  @Test
  void whatWasFoundIsKeptWhereContainersOutliveTheNodeManager() throws Exception {
    Configuration configuration = TestSettings.configuration();
    configuration.set("yarn.nodemanager.recovery.dir", "/var/lib/yarn");
    configuration.setBoolean("yarn.nodemanager.recovery.enabled", true);
    assertThat(TestSettings.read(configuration).regulators().of(CpuPoolSettings.class).memory())
        .contains(Path.of("/var/lib/yarn/charon-cpu-pool.properties"));
  }
}
