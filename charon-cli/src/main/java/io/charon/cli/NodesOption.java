/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.status.NodeAddress;
import java.util.List;
import picocli.CommandLine.Option;

/** Which nodes a command asks. */
final class NodesOption {
  @Option(
      names = "--node",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      defaultValue = "localhost:8042",
      description =
          "Web address of a NodeManager, yarn.nodemanager.webapp.address in its yarn-site.xml (default:"
              + " ${DEFAULT-VALUE}). May be repeated.")
  private List<NodeAddress> nodes;

  /** The nodes, in the order given. */
  List<NodeAddress> addresses() {
    return List.copyOf(nodes);
  }
}
