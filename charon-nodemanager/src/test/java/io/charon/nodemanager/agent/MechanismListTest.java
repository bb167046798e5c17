/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the conventions that the author of a new entry of the list may forget. */
@Tag("hadoop")
class MechanismListTest {
  /** Limits whose actuators the node itself provides. */
  private static final Set<Limit> SHARED =
      Set.of(Limit.MEMORY, Limit.MEMORY_USE, Limit.CPU_QUOTA, Limit.CPUS, Limit.TRAFFIC);

  @TempDir private Path root;
  private List<MechanismParts> parts;

  @BeforeEach
  void onAMachineWithoutAnything() {
    parts = onNothing(TestSettings.of(), root);
  }

  /** Returns all mechanisms on a machine whose files are all missing. */
  static List<MechanismParts> onNothing(CharonSettings settings, Path root) {
    return MechanismList.on(
        new MechanismList.Node(
            settings,
            new NodeMechanisms.Machine(
                root, root, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
            NodeMechanisms.Containers.none(),
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ZERO)));
  }

  @AfterEach
  void close() throws IOException {
    for (MechanismParts one : parts) {
      one.close();
    }
  }

  /** Operators turn a mechanism on by this key, and its name is a label of metrics. */
  @Test
  void eachHasAModeOfItsNameThatIsOffAndMayChangeAtRunTime() {
    Configuration defaults = new Configuration(false);
    defaults.addResource(SettingsReader.class.getResource("charon-site.xml"));
    assertThat(defaults.size()).isPositive();
    Properties live = defaults.getAllPropertiesByTag("live");
    assertThat(parts.stream().flatMap(one -> one.entries().stream()))
        .extracting(entry -> entry.mechanism().name())
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(7)
        .allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"))
        .allSatisfy(
            name ->
                assertThat(live.getProperty(SettingsReader.PREFIX + name + ".mode"))
                    .as(name)
                    .isEqualTo("off"));
  }

  @Test
  void noLimitHasTwoActuators() {
    assertThat(parts.stream().flatMap(one -> one.actuators().keySet().stream()))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(SHARED);
  }

  @Test
  void eachLimitOfAMechanismHasAnActuator() {
    assertThat(parts)
        .allSatisfy(
            one ->
                assertThat(one.actuators().keySet())
                    .containsAll(
                        one.entries().stream()
                            .flatMap(entry -> entry.mechanism().limits().stream())
                            .filter(limit -> !SHARED.contains(limit))
                            .toList()));
  }
}
