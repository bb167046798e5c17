/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.LocalConfiguration;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that name the daemon of this machine to change, and its configuration. */
final class LocalDaemonOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--node",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      description =
          "Web address of a NodeManager on this machine, yarn.nodemanager.webapp.address in its yarn-site.xml"
              + " (default: the one of --conf; without any there, port 8042, or 8044 with https).")
  private NodeAddress node;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      defaultValue = "${env:HADOOP_CONF_DIR}",
      description =
          "Directory that holds the daemon's yarn-site.xml, which names the file to write (default:"
              + " $HADOOP_CONF_DIR).")
  private Path conf;

  /**
   * The NodeManager's web address.
   *
   * @throws ParameterException if the configured one cannot be used
   */
  NodeAddress node(ClusterAccess access) {
    return node == null ? OptionRanges.accepted(command, access::nodeManagerHere) : node;
  }

  /**
   * Returns how to reach the daemon.
   *
   * @throws ParameterException if neither option nor environment names its configuration, or it
   *     cannot be read
   */
  ClusterAccess access() {
    requireConfiguration();
    return OptionRanges.accepted(command, () -> ClusterAccess.of(Optional.of(conf)));
  }

  /**
   * Returns the configuration with which the daemon was started.
   *
   * @throws ParameterException if neither option nor environment names its directory
   */
  LocalConfiguration configuration() {
    requireConfiguration();
    return new LocalConfiguration(conf);
  }

  private void requireConfiguration() {
    if (conf == null) {
      throw new ParameterException(
          command.commandLine(), "no configuration: set HADOOP_CONF_DIR or give --conf DIR");
    }
  }
}
