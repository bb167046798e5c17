/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.charon.nodemanager.config.Isolation;
import io.charon.nodemanager.config.LinuxIsolation;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class LinuxIsolationTest {
  private static final String HANDLER = YarnConfiguration.NM_LINUX_CONTAINER_RESOURCES_HANDLER;
  private static final String CGROUPS =
      "org.apache.hadoop.yarn.server.nodemanager.util.CgroupsLCEResourcesHandler";

  private final Configuration configuration = new YarnConfiguration();

  @BeforeEach
  void ours() {
    configuration.set(
        YarnConfiguration.NM_CONTAINER_EXECUTOR, CharonLinuxContainerExecutor.class.getName());
  }

  @Test
  void charonMakesTheCgroupsWhereYarnAsShippedMakesNone() {
    LinuxIsolation.installHandler(configuration);

    assertThat(configuration.get(HANDLER)).isEqualTo(CharonResourcesHandler.class.getName());
    assertThat(LinuxIsolation.problems(configuration)).isEmpty();
    assertThat(LinuxIsolation.of(configuration)).isEqualTo(Isolation.own());
  }

  @ParameterizedTest
  @ValueSource(strings = {"default,javasandbox", "DEFAULT", "JavaSandbox"})
  void aRuntimeWithoutCgroupsIsNoReasonToAdopt(String runtimes) {
    configuration.set(YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES, runtimes);

    assertThat(LinuxIsolation.of(configuration)).isEqualTo(Isolation.own());
  }

  @Test
  void aHandlerOfTheOperatorStaysAndIsNamed() {
    configuration.set(HANDLER, "com.example.Handler");

    LinuxIsolation.installHandler(configuration);

    assertThat(configuration.get(HANDLER)).isEqualTo("com.example.Handler");
    assertThat(LinuxIsolation.problems(configuration))
        .singleElement()
        .asString()
        .contains(HANDLER, "com.example.Handler", "remove the property");
  }

  @Test
  void yarnsHandlerOfBeforeIsItsCpuHandler() {
    configuration.set(HANDLER, CGROUPS);

    assertThat(LinuxIsolation.of(configuration).yarnSetsWeights()).isTrue();
    LinuxIsolation.installHandler(configuration);

    assertThat(LinuxIsolation.of(configuration).attaches()).isTrue();
    assertThat(LinuxIsolation.of(configuration).yarnSetsWeights()).isTrue();
    assertThat(configuration.get(HANDLER)).isEqualTo(CharonResourcesHandler.class.getName());
    assertThat(configuration.getBoolean("yarn.nodemanager.resource.cpu.enabled", false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.nodemanager.resource.cpu.enabled, true, true, false",
    "yarn.nodemanager.resource.memory.enabled, true, false, true",
    "yarn.nodemanager.resource.disk.enabled, true, false, false",
    "yarn.nodemanager.resource.network.enabled, true, false, false",
    "yarn.nodemanager.network-tagging-handler.enabled, true, false, false",
    "yarn.nodemanager.runtime.linux.allowed-runtimes, 'default,docker', false, true",
    "yarn.nodemanager.resource-plugins, yarn.io/gpu, false, false",
  })
  void whereAnythingElseMakesCgroupsTheseAreAdopted(
      String key, String value, boolean weighs, boolean counts) {
    configuration.set(key, value);

    assertThat(LinuxIsolation.of(configuration).attaches()).isTrue();
    assertThat(LinuxIsolation.of(configuration).makers())
        .singleElement()
        .asString()
        .contains(key, value);
    assertThat(LinuxIsolation.of(configuration).yarnSetsWeights()).isEqualTo(weighs);
    assertThat(LinuxIsolation.of(configuration).memoryCountedByOthers()).isEqualTo(counts);
    assertThat(LinuxIsolation.problems(configuration)).isEmpty();
  }

  @Test
  void theDefaultExecutorIgnoresWhatIsForTheOther() {
    configuration.set(
        YarnConfiguration.NM_CONTAINER_EXECUTOR, CharonContainerExecutor.class.getName());
    configuration.set("yarn.nodemanager.resource.cpu.enabled", "true");

    assertThat(LinuxIsolation.of(configuration)).isEqualTo(Isolation.own());
  }

  @ParameterizedTest
  @CsvSource({"//yarn/nodes/, /yarn/nodes", "hadoop, /hadoop"})
  void theHierarchyIsReadAsYarnReadsIt(String value, String read) {
    configuration.set("yarn.nodemanager.resource.cpu.enabled", "true");
    assertThat(LinuxIsolation.of(configuration).hierarchy()).isEqualTo("/hadoop-yarn");
    configuration.set("yarn.nodemanager.linux-container-executor.cgroups.hierarchy", value);
    assertThat(LinuxIsolation.of(configuration).hierarchy()).isEqualTo(read);
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
