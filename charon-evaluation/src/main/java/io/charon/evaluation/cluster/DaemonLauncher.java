/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts the JVMs of a cluster's daemons.
 *
 * @param cgroups the cgroups of this machine; empty if the cluster has none
 * @param daemonsCgroup the cgroup of the daemons; empty if the cluster has none
 */
record DaemonLauncher(
    Installation installation,
    ClusterFiles files,
    Optional<NodeCgroups> cgroups,
    Optional<String> daemonsCgroup) {
  static String hostsFileOption(Path hosts) {
    return "-Djdk.net.hosts.file=" + hosts;
  }

  /** Returns the options with which a JVM finds the cluster's hosts. */
  String jvmOptions() {
    return hostsFileOption(files.hosts());
  }

  /**
   * Starts a daemon.
   *
   * @param name the name of its configuration and its log
   * @throws IOException if the JVM cannot be started
   */
  Daemon launch(String name, String mainClass, int heapMb) throws IOException {
    Path configuration = files.configuration(name);
    // What a killed daemon leaves there is removed with the cluster.
    Path temporary = Files.createDirectories(files.temporary());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xmx" + heapMb + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                jvmOptions(),
                "-Djava.io.tmpdir=" + temporary));
    arguments.addAll(
        SharedClasses.of(installation)
            .jvmOptions(files.daemonsConfiguration() + ":" + configuration));
    arguments.add(mainClass);
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            System.getProperty("java.home"),
            // Inherited by containers; the daemon's own configuration is on its class path.
            "HADOOP_CONF_DIR",
            Files.isDirectory(files.containerConfiguration(name))
                ? files.containerConfiguration(name).toString()
                : configuration.toString());
    Daemon daemon = Daemon.start(name, arguments, environment, files.log(name));
    if (cgroups.isPresent() && daemonsCgroup.isPresent()) {
      cgroups.get().moveProcess(daemonsCgroup.get(), daemon.pid());
    }
    return daemon;
  }
}
