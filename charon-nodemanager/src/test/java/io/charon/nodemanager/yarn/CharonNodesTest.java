/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.config.TestSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class CharonNodesTest {
  @TempDir Path proc;
  private final YarnContainers containers =
      new YarnContainers(
          context(),
          new DefaultContainerExecutor(),
          new Configuration(false),
          id -> Optional.empty());

  private static Context context() {
    Context context = mock(Context.class);
    when(context.getContainers()).thenReturn(new ConcurrentHashMap<>());
    return context;
  }

  /** A subclass of a part counts as the part. */
  static final class Extended extends CharonContainerExecutor {}

  @AfterEach
  void forget() {
    CharonNodes.find(installed()).ifPresent(joined -> joined.node().close());
    CharonNodes.forget();
  }

  @Test
  void aLaterCallerFindsTheSameNode() {
    CharonNodes.Joined made = CharonNodes.create(installed(), proc, containers).orElseThrow();

    assertThat(CharonNodes.find(installed())).containsSame(made);
    CharonNodes.forget();
    assertThat(CharonNodes.find(installed())).isEmpty();
  }

  @Test
  void anExecutorBuiltOnOursAndAServiceOfAnotherNameWillDo() {
    Configuration configuration = installed();
    configuration.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, Extended.class.getName());
    configuration.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle, ferry");
    configuration.set(
        "yarn.nodemanager.aux-services.ferry.class", CharonAuxiliaryService.class.getName());

    assertThat(CharonNodes.create(configuration, proc, containers)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    YarnConfiguration.NM_CONTAINER_EXECUTOR
        + ", io.charon.nodemanager.yarn.CharonContainerExecutor",
    YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS
        + ", io.charon.nodemanager.yarn.CharonContainersLauncher",
    YarnConfiguration.NM_AUX_SERVICES + ", io.charon.nodemanager.yarn.CharonAuxiliaryService",
    "yarn.nodemanager.aux-services.charon.class,"
        + " io.charon.nodemanager.yarn.CharonAuxiliaryService",
  })
  void aMissingPartMeansWithoutCharonOrNotAtAll(String key, String wanted) {
    Configuration configuration = installed();
    configuration.unset(key);

    assertThat(CharonNodes.create(configuration, proc, containers)).isEmpty();
    assertThat(CharonNodes.find(configuration)).isEmpty();

    configuration.set("yarn.nodemanager.charon.fail-fast", "true");
    assertThatThrownBy(() -> CharonNodes.create(configuration, proc, containers))
        .isInstanceOf(YarnRuntimeException.class)
        .hasMessageContaining(wanted);
    assertThatThrownBy(() -> CharonNodes.find(configuration))
        .isInstanceOf(YarnRuntimeException.class)
        .hasMessageContaining(wanted);
  }

  @Test
  void aPartOfAnotherKindIsNamed() {
    Configuration configuration = installed();
    configuration.set("yarn.nodemanager.charon.fail-fast", "true");
    configuration.set(
        YarnConfiguration.NM_CONTAINER_EXECUTOR, DefaultContainerExecutor.class.getName());
    configuration.set(
        YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS, ContainersLauncher.class.getName());

    assertThatThrownBy(() -> CharonNodes.create(configuration, proc, containers))
        .hasMessageContaining(
            YarnConfiguration.NM_CONTAINER_EXECUTOR
                + " is '"
                + DefaultContainerExecutor.class.getName())
        .hasMessageContaining(
            YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS
                + " is '"
                + ContainersLauncher.class.getName());
  }

  @Test
  void wrongSettingsMeanWithoutCharonOrNotAtAll() {
    Configuration configuration = installed();
    CharonNodes.create(configuration, proc, containers).orElseThrow().node().close();
    configuration.set("yarn.nodemanager.charon.mode", "mercury");

    assertThat(CharonNodes.create(configuration, proc, containers)).isEmpty();
    assertThat(CharonNodes.find(configuration)).isEmpty();

    configuration.set("yarn.nodemanager.charon.fail-fast", "true");
    assertThatThrownBy(() -> CharonNodes.create(configuration, proc, containers))
        .isInstanceOf(YarnRuntimeException.class)
        .hasMessageContaining("yarn.nodemanager.charon.mode is 'mercury'");
  }

  @Test
  void formerNamesMeanThatTheNodeOnlyObservesAndSaysSoOrNotAtAll() {
    Configuration configuration = installed();
    configuration.set("yarn.nodemanager.charon.mode", "charon");
    configuration.set("yarn.nodemanager.charon.pause.mode", "enforce");

    CharonNode node = CharonNodes.create(configuration, proc, containers).orElseThrow().node();
    assertThat(node.status().mode()).isEqualTo("observe");
    assertThat(node.status().operator().configuration().problem())
        .contains("yarn.nodemanager.charon.mode (value 'charon')", "now named enforce")
        .contains("is now named yarn.nodemanager.charon.freeze.mode");
    node.close();

    configuration.set("yarn.nodemanager.charon.fail-fast", "true");
    assertThatThrownBy(() -> CharonNodes.create(configuration, proc, containers))
        .isInstanceOf(YarnRuntimeException.class)
        .hasMessageContaining("now named enforce");
  }

  /**
   * Returns a configuration with all three parts, without cgroups on the machine that runs the
   * tests.
   */
  static Configuration installed() {
    Configuration configuration = TestSettings.configuration("cgroup.enabled", "false");
    configuration.set(
        YarnConfiguration.NM_CONTAINER_EXECUTOR, CharonContainerExecutor.class.getName());
    configuration.set(
        YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS, CharonContainersLauncher.class.getName());
    configuration.set(YarnConfiguration.NM_AUX_SERVICES, "charon");
    configuration.set(
        "yarn.nodemanager.aux-services.charon.class", CharonAuxiliaryService.class.getName());
    return configuration;
  }
}
