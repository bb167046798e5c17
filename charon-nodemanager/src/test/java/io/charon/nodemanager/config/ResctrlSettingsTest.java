/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class ResctrlSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "enforce, enforce, true, ENFORCE",
    "observe, enforce, true, OBSERVE",
    "off, enforce, true, OFF",
    "threshold, enforce, true, OFF",
    "enforce, enforce, false, OFF"
  })
  void nothingIsDoneThatTheNodeDoesNot(
      String node, String mode, String cgroups, RegulatorMode effective) {
    ResctrlSettings settings =
        TestSettings.of(
                "mode", node,
                "cache-ways.mode", mode,
                "memory-bandwidth.mode", mode,
                "cgroup.enabled", cgroups)
            .regulators()
            .of(ResctrlSettings.class);
    assertThat(settings.waysMode()).isEqualTo(effective);
    assertThat(settings.bandwidthMode()).isEqualTo(effective);
  }

  @Test
  void partsAreNumbersOrPercent() {
    assertThat(ways("3")).isEqualTo(new WaysAmount(3, false));
    assertThat(ways("30%")).isEqualTo(new WaysAmount(30, true));
    assertThat(ways("30 %")).isEqualTo(new WaysAmount(30, true));
    assertThat(bandwidth("law")).isEmpty();
    assertThat(bandwidth("40%")).hasValue(40);
  }

  private static WaysAmount ways(String text) {
    return TestSettings.of("cache-ways.amount", text).regulators().of(ResctrlSettings.class).ways();
  }

  private static OptionalInt bandwidth(String text) {
    return TestSettings.of("memory-bandwidth.limit", text)
        .regulators()
        .of(ResctrlSettings.class)
        .bandwidthPercent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "63", "101%", "-2", "two", "2.5", "0%"})
  void otherPartsAreRefusedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> ways(text))
        .hasMessageContaining("cache-ways.amount is '" + text + "'")
        .hasMessageContaining("a number of ways, 1 to 62, such as 2, or a percentage of all");
    assertThatThrownBy(() -> bandwidth(text))
        .hasMessageContaining("memory-bandwidth.limit is '" + text + "'")
        .hasMessageContaining("law, or a percentage");
  }

  @Test
  void waysAreFixedOrFollowALaw() {
    assertThatThrownBy(
            () ->
                TestSettings.of("cache-ways.mode", "observe", "regulator.cpu.limit", "cache-ways"))
        .hasMessageContaining("cache-ways.mode is 'observe'")
        .hasMessageContaining("regulator.cpu.limit=cache-ways");
  }

  @ParameterizedTest
  @CsvSource({
    "2, false, 11, 2, 2",
    "1, false, 11, 2, 2",
    "20, false, 11, 2, 11",
    "30, true, 11, 2, 3",
    "1, true, 11, 2, 2",
    "100, true, 11, 2, 11"
  })
  void aPartIsNeverLessThanTheLeastNorMoreThanAll(
      int number, boolean percent, int all, int least, int ways) {
    assertThat(new WaysAmount(number, percent).of(all, least)).isEqualTo(ways);
  }
}
