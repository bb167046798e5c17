/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.LocalConfiguration;
import io.charon.status.NodeAddress;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which daemon of this machine a command changes, and where its configuration is. */
final class LocalDaemonOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--node",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      defaultValue = "localhost:8042",
      description =
          "Web address of a NodeManager on this machine, yarn.nodemanager.webapp.address in its yarn-site.xml"
              + " (default: ${DEFAULT-VALUE}).")
  private NodeAddress node;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      defaultValue = "${env:HADOOP_CONF_DIR}",
      description =
          "Directory that holds the daemon's yarn-site.xml, which names the file to write (default:"
              + " $HADOOP_CONF_DIR).")
  private Path conf;

  /** The NodeManager's web address. */
  NodeAddress node() {
    return node;
  }

  /**
   * What the daemon was started with.
   *
   * @throws ParameterException if nobody says where that is
   */
  LocalConfiguration configuration() {
    if (conf == null) {
      throw new ParameterException(
          command.commandLine(), "no configuration: set HADOOP_CONF_DIR or give --conf DIR");
    }
    return new LocalConfiguration(conf);
  }
}
