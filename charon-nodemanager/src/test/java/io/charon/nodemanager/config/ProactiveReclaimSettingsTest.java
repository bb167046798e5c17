/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ReclaimScope;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
@Tag("long")
class ProactiveReclaimSettingsTest {
  private static ProactiveReclaimSettings of(String... keys) {
    return TestSettings.of(keys).regulators().of(ProactiveReclaimSettings.class);
  }

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
      String node, String reclaim, String cgroups, RegulatorMode effective) {
    assertThat(
            of("mode", node, "proactive-reclaim.mode", reclaim, "cgroup.enabled", cgroups).mode())
        .isEqualTo(effective);
  }

  @Test
  void itIsOffAndNothingIsTakenOfProductionUnlessTheOperatorSaysSo() {
    assertThat(of("mode", "enforce").mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(of().law().production()).isEqualTo(ReclaimScope.NONE);
    assertThat(of("proactive-reclaim.production", "files").law().production())
        .isEqualTo(ReclaimScope.FILES);
  }

  @ParameterizedTest
  @CsvSource({
    "percent, 0, a number from 0.01 to 10.0",
    "percent, 11, a number from 0.01 to 10.0",
    "period-ms, 999, a whole number from 1000 to 3600000",
    "waited-percent, 0, a number from 0.01 to 100.0",
    "promoted-percent, -1, a number from 0.0 to 100.0",
    "hold-ms, 86400001, a whole number from 0 to 86400000",
    "minimum-mb, many, a whole number from 0 to 1048576",
    "swap-kb-per-second, -1, a whole number from 0 to 1048576",
    "production, some, 'one of none, files, all'"
  })
  void aWrongValueIsNamedWithWhatIsAllowed(String key, String value, String allowed) {
    assertThatThrownBy(() -> of("proactive-reclaim." + key, value))
        .hasMessageContaining(
            "proactive-reclaim.%s is '%s'; it must be %s".formatted(key, value, allowed));
  }

  @Test
  void limitsThatWereFoundAreKeptWhereContainersOutliveTheNodeManager() throws Exception {
    Configuration configuration = TestSettings.configuration();
    configuration.set("yarn.nodemanager.recovery.dir", "/var/lib/yarn");
    configuration.setBoolean("yarn.nodemanager.recovery.enabled", true);
    assertThat(
            TestSettings.read(configuration)
                .regulators()
                .of(ProactiveReclaimSettings.class)
                .memory())
        .contains(Path.of("/var/lib/yarn/charon-cold-memory.properties"));
  }
}
