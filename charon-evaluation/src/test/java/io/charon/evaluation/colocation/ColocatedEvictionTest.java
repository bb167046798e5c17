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
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.SettingsReader;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class ColocatedEvictionTest {
  @Test
  void oneEvictionIsOnWithTheThresholdsThatShip() throws Exception {
    Configuration configuration = new Configuration(false);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    configuration.set(SettingsReader.MODE, "enforce");
    EvictionSettings defaults =
        SettingsReader.read(configuration, MechanismList.keys())
            .regulators()
            .of(EvictionSettings.class);

    EvictionSettings line = ColocatedEviction.only("evict-line", defaults);
    assertThat(line.line().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(line.pressure().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(line.satisfaction().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(line.line().rule()).isEqualTo(new MemoryLineRule(70, 68));
    assertThat(line.keptFreeBytes(1000)).isEqualTo(320);

    EvictionSettings pressure = ColocatedEviction.only("evict-psi", defaults);
    assertThat(pressure.pressure().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(pressure.line().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(pressure.keptFreeBytes(1000)).isZero();
  }
}
