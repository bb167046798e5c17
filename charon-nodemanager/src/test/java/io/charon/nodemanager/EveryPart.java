/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.config.TestSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;

/** A node whose parts are all in mode observe. */
public final class EveryPart {
  private EveryPart() {}

  /**
   * Returns the JMX names of all its metrics.
   *
   * @param proc an empty directory
   */
  public static Set<String> metrics(Path proc) throws Exception {
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 1000 kB\nMemAvailable: 600 kB\n");
    Configuration defaults = new Configuration(false);
    defaults.addResource(SettingsReader.class.getResource("charon-site.xml"));
    Stream<String> modes =
        defaults.getPropsWithPrefix(SettingsReader.PREFIX).keySet().stream()
            .filter(key -> key.matches(".+\\.mode"))
            .flatMap(key -> Stream.of(key, "observe"));
    FakeYarn yarn = new FakeYarn();
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                Stream.concat(
                        Stream.of(
                            "cgroup.enabled", "true", "regulator.cpu.water-line-percent", "65"),
                        modes)
                    .toArray(String[]::new)),
            Surroundings.ofThisMachine(proc),
            yarn);
    yarn.killer(containerId -> {});
    node.start();
    try {
      return ManagementFactory.getPlatformMBeanServer()
          .queryNames(new ObjectName("charon:*"), null)
          .stream()
          .map(name -> name.getKeyProperty("name"))
          .collect(Collectors.toCollection(TreeSet::new));
    } finally {
      node.close();
    }
  }
}
