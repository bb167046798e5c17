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

/** Creates states of clusters for tests. */
final class States {
  private States() {}

  static ClusterState begun(ProcessIdentity supervisor) {
    return new ClusterState(
        supervisor,
        Instant.parse("2026-01-02T03:04:05Z"),
        2560,
        Optional.of(new LinuxExecutor(Path.of("/opt/container-executor"), "alice", "nobody")),
        Path.of("/nonexistent/charon-cluster-1"),
        List.of("Without swap."),
        Optional.empty());
  }

  static ClusterState running(ProcessIdentity supervisor) {
    return begun(supervisor)
        .withAddress(
            new ClusterState.Address(
                "http://127.0.0.1:20001",
                List.of(new ClusterState.Node("node1", new NodeAddress("127.0.0.2", 20002)))));
  }
}
