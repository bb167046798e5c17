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

@Tag("hadoop")
class ProcessLimitSettingsTest {
  private static ProcessLimitSettings read(String... keys) {
    return TestSettings.of(keys).regulators().of(ProcessLimitSettings.class);
  }

  @Test
  void aTenthIsReservedAndItIsOffByDefault() {
    assertThat(read("mode", "enforce")).isEqualTo(new ProcessLimitSettings(RegulatorMode.OFF, 0.1));
    assertThat(
            read(
                "mode",
                "enforce",
                "process-limit.mode",
                "enforce",
                "process-limit.reserve-percent",
                "25"))
        .isEqualTo(new ProcessLimitSettings(RegulatorMode.ENFORCE, 0.25));
    assertThat(read("mode", "observe", "process-limit.mode", "enforce").mode())
        .isEqualTo(RegulatorMode.OBSERVE);
  }

  @Test
  void aReserveOfNothingOrOfAllIsRefused() {
    for (String wrong : new String[] {"0", "91", "a tenth"}) {
      assertThatThrownBy(() -> read("process-limit.reserve-percent", wrong))
          .hasMessageContaining("process-limit.reserve-percent is '" + wrong + "'");
    }
  }
}
