/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.status.NodeAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that stays, as its supervisor tells it.
 *
 * @param supervisor the process that starts and ends it
 * @param since when the supervisor began
 * @param nodeMemoryMb memory of a node, MiB
 * @param workDirectory of the cluster's daemons and jobs
 * @param remarks what this machine does not have, one line each
 * @param address where it is; empty as long as it starts
 */
public record ClusterState(
    ProcessIdentity supervisor,
    Instant since,
    int nodeMemoryMb,
    Path workDirectory,
    List<String> remarks,
    Optional<Address> address) {
  /** Begins the name of each work directory. */
  static final String PREFIX = "charon-cluster-";

  /** Copies the list. */
  public ClusterState {
    remarks = List.copyOf(remarks);
  }

  /**
   * Where a cluster is.
   *
   * @param web of the ResourceManager, for example {@code http://127.0.0.1:20042}
   */
  public record Address(String web, List<Node> nodes) {
    /** Copies the list. */
    public Address {
      nodes = List.copyOf(nodes);
    }

    /** The page of the cluster. */
    public String page() {
      return web + "/charon/cluster/";
    }

    /** The page of an application. */
    String page(String application) {
      return web + "/cluster/app/" + application;
    }
  }

  /**
   * A node.
   *
   * @param web of its NodeManager
   */
  public record Node(String name, NodeAddress web) {
    /** Its page. */
    public String page() {
      return "http://" + web + "/charon/";
    }
  }

  /** The same cluster on a machine that lacks something. */
  ClusterState with(List<String> newRemarks) {
    return new ClusterState(supervisor, since, nodeMemoryMb, workDirectory, newRemarks, address);
  }

  /** The same cluster once it can be reached. */
  ClusterState at(Address where) {
    return new ClusterState(
        supervisor, since, nodeMemoryMb, workDirectory, remarks, Optional.of(where));
  }

  /** Directory of the jobs' input. */
  Path input() {
    return workDirectory.resolve("input");
  }

  /** Directory of one directory for each job. */
  Path jobs() {
    return workDirectory.resolve("jobs");
  }

  /** Name of what a supervisor makes on this machine beside files; holds its process id. */
  String machineName() {
    return machineName(supervisor);
  }

  static String machineName(ProcessIdentity supervisor) {
    return PREFIX + supervisor.pid();
  }
}
