/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.status.NodeAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a cluster that {@code charon cluster start} started, as its supervisor records it.
 *
 * @param supervisor the process that starts and ends the cluster
 * @param since when the supervisor started
 * @param nodeMemoryMb memory of a node, MiB
 * @param linux runs containers as users of their own; empty if they run as the supervisor's user
 * @param workDirectory work directory of the cluster's daemons and jobs
 * @param remarks features that this machine does not support, one line each
 * @param address addresses of the cluster; empty while it starts
 */
public record ClusterState(
    ProcessIdentity supervisor,
    Instant since,
    int nodeMemoryMb,
    Optional<LinuxExecutor> linux,
    Path workDirectory,
    List<String> remarks,
    Optional<Address> address) {
  /** Prefix of the names of work directories. */
  static final String PREFIX = "charon-cluster-";

  /** Copies the list. */
  public ClusterState {
    remarks = List.copyOf(remarks);
  }

  /**
   * The addresses of a cluster.
   *
   * @param web address of the ResourceManager's web server, for example {@code
   *     http://127.0.0.1:20042}
   * @param nodes the nodes
   */
  public record Address(String web, List<Node> nodes) {
    /** Copies the list. */
    public Address {
      nodes = List.copyOf(nodes);
    }

    /** Returns the page of the cluster. */
    public String page() {
      return web + "/charon/cluster/";
    }

    /** Returns the page of an application. */
    String page(String application) {
      return web + "/cluster/app/" + application;
    }
  }

  /**
   * A node.
   *
   * @param name name of the node
   * @param web address of the NodeManager's web server
   */
  public record Node(String name, NodeAddress web) {
    /** Returns the page of the node. */
    public String page() {
      return "http://" + web + "/charon/";
    }
  }

  /** Returns the same state with other remarks. */
  ClusterState withRemarks(List<String> newRemarks) {
    return new ClusterState(
        supervisor, since, nodeMemoryMb, linux, workDirectory, newRemarks, address);
  }

  /** Returns the same state with the addresses of the running cluster. */
  ClusterState withAddress(Address where) {
    return new ClusterState(
        supervisor, since, nodeMemoryMb, linux, workDirectory, remarks, Optional.of(where));
  }

  /** Returns the directory of the jobs' input. */
  Path input() {
    return workDirectory.resolve("input");
  }

  /** Returns the directory that holds one directory for each job. */
  Path jobs() {
    return workDirectory.resolve("jobs");
  }

  /**
   * Returns the clients' configuration for the users of {@link #linux}, who cannot enter the
   * directory of the commands.
   */
  public Path configurationOfUsers() {
    return workDirectory.resolve("conf");
  }

  /**
   * Returns the name of machine-wide objects of the supervisor, such as cgroups; contains its
   * process id.
   */
  String machineName() {
    return machineName(supervisor);
  }

  static String machineName(ProcessIdentity supervisor) {
    return PREFIX + supervisor.pid();
  }
}
