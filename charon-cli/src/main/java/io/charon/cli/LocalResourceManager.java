/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.NodeOverrides;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Option that names the ResourceManager that gets an order for the cluster. */
final class LocalResourceManager {
  @Option(
      names = "--resourcemanager",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      description =
          "With --cluster: web address of the ResourceManager on this machine (default: the one of"
              + " yarn-site.xml that is on this machine; without any there, port 8088, or 8090 with https).")
  private NodeAddress address;

  /** Refuses the option for an order to a node, which does not reach the cluster. */
  void requireCluster(boolean cluster, CommandLine command) {
    if (address != null && !cluster) {
      throw new ParameterException(
          command,
          "--resourcemanager names the daemon for an order to the cluster; add --cluster, or leave"
              + " it out for an order to the node");
    }
  }

  /**
   * Its web address.
   *
   * @throws NodeOverrides.RefusedException if the configuration names none on this machine
   */
  NodeAddress address(ClusterAccess access) throws NodeOverrides.RefusedException {
    try {
      return address == null ? access.resourceManagerHere() : address;
    } catch (IllegalArgumentException e) {
      throw new NodeOverrides.RefusedException(e.getMessage());
    }
  }
}
