/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.config.CoresKeys;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.MemoryLimitKeys;
import io.charon.nodemanager.config.RegulatorKeys;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColocationModeTest {
  @Test
  void knowsStaticLimitsByTheirPercent() {
    ColocationMode mode = ColocationMode.of("static-memory-40").orElseThrow();
    assertThat(mode.percent()).isEqualTo(40);
    assertThat(mode.kind()).isEqualTo(ColocationMode.Kind.STATIC_MEMORY);
    assertThat(mode.isStatic()).isTrue();
    assertThat(mode.mechanisms()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "static",
        "static-quota-0",
        "static-quota-101",
        "static-disk-5",
        "CPU",
        "suppress",
        "suppress-0",
        "suppress-101"
      })
  void refusesOthers(String name) {
    assertThat(ColocationMode.of(name)).isEmpty();
  }

  @Test
  void theSameLawTakesThreeSignals() {
    assertThat(Stream.of("cpu", "cpu-run-queue", "cpu-instructions"))
        .extracting(name -> ColocationMode.of(name).orElseThrow())
        .allSatisfy(
            mode -> {
              assertThat(mode.mechanisms()).containsExactly("cpu");
              assertThat(mode.regulates("cpu")).isTrue();
              assertThat(mode.regulates("memory")).isFalse();
            })
        .extracting(mode -> mode.keys().get(RegulatorKeys.CPU_SIGNAL))
        .containsExactly("pressure", "run-queue", "instructions");
  }

  @Test
  void allIsEveryRegulator() {
    ColocationMode all = ColocationMode.of("all").orElseThrow();
    assertThat(all.mechanisms()).containsExactlyInAnyOrder("cpu", "memory");
    assertThat(Stream.of("cpu", "memory", "network")).allMatch(all::regulates);
  }

  @Test
  void aPresetIsOneProtectionAndTheDefaultHasNoKeys() {
    ColocationMode suppress = ColocationMode.of("suppress-65").orElseThrow();
    assertThat(suppress.keys())
        .containsEntry(CoresKeys.WATER_LINE, "65")
        .containsEntry(RegulatorKeys.CPU_MODE, "enforce")
        .containsEntry(MemoryLimitKeys.MODE, "off");
    assertThat(suppress.mechanisms()).containsExactly("cpu-water-line");
    ColocationMode starved = ColocationMode.of("evict-satisfaction").orElseThrow();
    assertThat(starved.keys()).containsEntry(EvictionSettings.SATISFACTION_MODE, "enforce");
    assertThat(starved.mechanisms()).containsExactly("evict-satisfaction");
    assertThat(ColocationMode.of("idle").orElseThrow().keys())
        .containsEntry(KernelKillerSettings.ENABLED, "false")
        .doesNotContainKey(RegulatorKeys.CPU_MODE);
    ColocationMode shipped = ColocationMode.of("default").orElseThrow();
    assertThat(shipped.keys()).isEmpty();
    assertThat(shipped.mechanisms()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"evict-line", "evict-psi"})
  void anEvictionIsRegulatedByItselfAlone(String name) {
    ColocationMode mode = ColocationMode.of(name).orElseThrow();
    assertThat(mode.mechanisms()).containsExactly(name);
    assertThat(mode.hasBackground()).isTrue();
    assertThat(mode.isStatic()).isFalse();
    assertThat(mode.regulates("memory")).isFalse();
  }
}
