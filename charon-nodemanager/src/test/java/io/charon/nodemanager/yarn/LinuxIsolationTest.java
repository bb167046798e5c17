/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.charon.nodemanager.config.LinuxIsolation;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class LinuxIsolationTest {
  private static final String HANDLER = YarnConfiguration.NM_LINUX_CONTAINER_RESOURCES_HANDLER;
  private static final String CGROUPS =
      "org.apache.hadoop.yarn.server.nodemanager.util.CgroupsLCEResourcesHandler";

  private final Configuration configuration = new YarnConfiguration();

  @Test
  void charonMakesTheCgroupsWhereYarnAsShippedMakesNone() {
    assertThat(LinuxIsolation.problems(configuration)).isEmpty();

    LinuxIsolation.handOver(configuration);

    assertThat(configuration.get(HANDLER)).isEqualTo(CharonResourcesHandler.class.getName());
    assertThat(LinuxIsolation.problems(configuration)).isEmpty();
  }

  @Test
  void aHandlerOfTheOperatorStaysAndIsNamed() {
    configuration.set(HANDLER, CGROUPS);

    LinuxIsolation.handOver(configuration);

    assertThat(configuration.get(HANDLER)).isEqualTo(CGROUPS);
    assertThat(LinuxIsolation.problems(configuration))
        .singleElement()
        .asString()
        .contains(HANDLER, CGROUPS, "remove it");
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.nodemanager.resource.cpu.enabled, true, set it to false",
    "yarn.nodemanager.resource.memory.enabled, true, set it to false",
    "yarn.nodemanager.resource.disk.enabled, true, set it to false",
    "yarn.nodemanager.resource.network.enabled, true, set it to false",
    "yarn.nodemanager.network-tagging-handler.enabled, true, set it to false",
    "yarn.nodemanager.runtime.linux.allowed-runtimes, 'default,docker', set it to default",
    "yarn.nodemanager.resource-plugins, yarn.io/gpu, remove it",
  })
  void whateverElseMakesCgroupsIsNamedWithTheCure(String key, String value, String cure) {
    configuration.set(key, value);

    assertThat(LinuxIsolation.problems(configuration))
        .singleElement()
        .asString()
        .startsWith(key + " is ")
        .contains("cannot adopt yet")
        .endsWith(cure);
  }

  @Test
  void yarnsOwnExecutorIsAnsweredWithOurs() {
    Configuration installed = CharonNodesTest.installed();
    installed.set("yarn.nodemanager.charon.fail-fast", "true");
    installed.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, LinuxContainerExecutor.class.getName());

    assertThat(catchThrowable(() -> CharonNodes.find(installed)))
        .hasMessageContaining("set it to " + CharonLinuxContainerExecutor.class.getName());
  }
}
