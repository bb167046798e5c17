/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.RegulatorSettings.CpuSignal;
import io.charon.nodemanager.config.RegulatorSettings.NetworkLimit;
import io.charon.nodemanager.config.SettingsReader;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the keys of modes and of the agent's benchmark are those of the shipped agent. */
@Tag("hadoop")
class ShippedSettingsTest {
  private static CharonSettings read(Map<String, String> keys) throws Exception {
    Configuration configuration = new Configuration(false);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    configuration.set(SettingsReader.MODE, "enforce");
    keys.forEach(configuration::set);
    return SettingsReader.read(configuration, MechanismList.keys());
  }

  private static CharonSettings mode(String name) throws Exception {
    return read(ColocationMode.of(name).orElseThrow().keys());
  }

  @Test
  void suppressionIsTheWaterLineAlone() throws Exception {
    CharonSettings suppress = mode("suppress-80");
    assertThat(suppress.regulators().cpu().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(suppress.regulators().cpu().signal()).isEqualTo(CpuSignal.NONE);
    assertThat(suppress.regulators().waterLine().orElseThrow().percent()).isEqualTo(80);
    assertThat(suppress.regulators().memoryLimit().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(suppress.killers().kernel()).isEmpty();
  }

  @Test
  void theOtherModesTurnOnWhatTheirNamesSay() throws Exception {
    assertThat(mode("idle").regulators().cpu().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(mode("cpu-run-queue").regulators().cpu().signal()).isEqualTo(CpuSignal.RUN_QUEUE);
    assertThat(mode("memory").regulators().memory().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(mode("network-give-way").regulators().network().link().limit())
        .isEqualTo(NetworkLimit.GIVE_WAY);
    EvictionSettings line = mode("evict-line").regulators().of(EvictionSettings.class);
    assertThat(line.line().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(line.pressure().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(line.satisfaction().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(line.line().rule()).isEqualTo(new MemoryLineRule(70, 68));
    assertThat(line.keptFreeBytes(1000)).isEqualTo(320);
    EvictionSettings pressure = mode("evict-psi").regulators().of(EvictionSettings.class);
    assertThat(pressure.pressure().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(pressure.line().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(pressure.keptFreeBytes(1000)).isZero();
    CharonSettings starved = mode("evict-satisfaction");
    assertThat(starved.regulators().of(EvictionSettings.class).satisfaction().mode())
        .isEqualTo(RegulatorMode.ENFORCE);
    CharonSettings shipped = mode("default");
    assertThat(shipped.regulators().memoryLimit().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(shipped.killers().kernel()).isPresent();
  }

  @Test
  void theAgentIsMeasuredWithEveryModeInEnforce() throws Exception {
    Map<String, String> keys = AgentBench.everyMechanism();
    assertThat(keys)
        .containsKeys(
            "yarn.nodemanager.charon.memory-limit.mode",
            "yarn.nodemanager.charon.freeze.mode",
            "yarn.nodemanager.charon.cpu-burst.mode",
            "yarn.nodemanager.charon.evict-psi.mode",
            "yarn.nodemanager.charon.cpu-pool.mode")
        .doesNotContainKey(SettingsReader.MODE);
    assertThat(keys.entrySet())
        .filteredOn(entry -> entry.getKey().endsWith(".mode"))
        .allMatch(entry -> entry.getValue().equals("enforce"));
    assertThat(read(keys).regulators().waterLine()).isPresent();
  }
}
