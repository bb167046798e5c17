/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.RunningNodes;
import io.charon.status.StatusException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that name the nodes that a command asks. */
final class NodesOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--node",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      description =
          "Web address of a NodeManager, yarn.nodemanager.webapp.address in its yarn-site.xml (default: the"
              + " one of --conf on this machine; without any there, port 8042, or 8044 with https)."
              + " May be repeated.")
  private List<NodeAddress> nodes = List.of();

  @Option(names = "--all", description = "Ask all nodes that the ResourceManager lists as running.")
  private boolean all;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      defaultValue = "${env:HADOOP_CONF_DIR}",
      description =
          "Configuration of the cluster: whether it uses https, which certificates to trust, "
              + "its ResourceManagers, and the web address of this machine's NodeManager (default:"
              + " $HADOOP_CONF_DIR).")
  private Path conf;

  /**
   * Returns how to reach the nodes.
   *
   * @throws ParameterException if a configuration file cannot be read
   */
  ClusterAccess access() {
    return OptionRanges.accepted(command, () -> ClusterAccess.of(Optional.ofNullable(conf)));
  }

  /**
   * Returns the nodes, in the order given.
   *
   * @return empty if no ResourceManager lists its nodes; the error has been printed
   * @throws ParameterException if the configured address of this machine's node cannot be used
   */
  Optional<List<NodeAddress>> addresses(ClusterAccess access) throws InterruptedException {
    if (!all) {
      return Optional.of(
          nodes.isEmpty()
              ? List.of(OptionRanges.accepted(command, access::nodeManagerHere))
              : List.copyOf(nodes));
    }
    try {
      return Optional.of(new RunningNodes(access).addresses());
    } catch (StatusException e) {
      command.commandLine().getErr().println("charon: " + PlainText.escape(e.getMessage()));
      return Optional.empty();
    }
  }
}
