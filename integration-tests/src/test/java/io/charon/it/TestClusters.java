/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sizes, queues and properties of the clusters behind {@link TestNode}. */
final class TestClusters {
  private static final long MEBIBYTE = 1024 * 1024;

  private TestClusters() {}

  static ClusterSpec spec(String mode, Map<String, String> overrides) {
    return spec(1, mode, overrides);
  }

  static ClusterSpec spec(int nodes, String mode, Map<String, String> overrides) {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager(mode));
    properties.putAll(CharonConfiguration.resourceManager(List.of(HoldJob.QUEUE)));
    properties.putAll(overrides);
    return new ClusterSpec(
        nodes,
        new ClusterSpec.Node(
            TestNode.NODE_MEBIBYTES * MEBIBYTE, TestNode.RESERVABLE_MEBIBYTES, 4, 5),
        List.of(new ClusterSpec.Queue(HoldJob.QUEUE, 100, 4)),
        true,
        Optional.of("/charon-it-" + ProcessHandle.current().pid()),
        properties);
  }

  static ClusterSpec withProduction(int nodeMebibytes, Map<String, String> overrides) {
    ClusterSpec one = spec("enforce", overrides);
    return new ClusterSpec(
        one.nodes(),
        one.node().withMemory(nodeMebibytes * MEBIBYTE),
        List.of(
            new ClusterSpec.Queue(HoldJob.QUEUE, 50, 4),
            new ClusterSpec.Queue(TestNode.PRODUCTION_QUEUE, 50, 4)),
        one.recovery(),
        one.cgroupRoot(),
        one.properties());
  }
}
