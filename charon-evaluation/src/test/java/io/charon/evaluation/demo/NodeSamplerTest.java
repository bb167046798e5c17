/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.demo.DemoRunResult.MemorySample;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
@Tag("long")
class NodeSamplerTest {
  @TempDir private Path directory;

  @Test
  void utilizationIsWeightedByTime() {
    List<MemorySample> samples =
        List.of(
            new MemorySample(0, 100, 0, 100),
            new MemorySample(1, 100, 0, 100),
            new MemorySample(5, 0, 0, 100));

    assertThat(NodeSampler.utilization(samples, 5)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void samplesAfterTheWindowDoNotCount() {
    List<MemorySample> samples =
        List.of(
            new MemorySample(0, 50, 0, 100),
            new MemorySample(1, 50, 0, 100),
            new MemorySample(2, 100, 0, 100));

    assertThat(NodeSampler.utilization(samples, 1.5)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void oneSampleIsNoMean() {
    assertThat(NodeSampler.utilization(List.of(new MemorySample(0, 1, 1, 1)), 5)).isNaN();
  }

  @Test
  void aNodeThatIsLostOrSortedElsewhereKeepsItsOwnReservation() throws Exception {
    YarnClient yarn = mock();
    List<NodeReport> running =
        List.of(report("node10", 1000), report("node2", 200), report("node3", 300));
    when(yarn.getNodeReports(NodeState.RUNNING)).thenReturn(running);
    NodeSampler sampler =
        new NodeSampler(
            List.of(node(0), node(1), node(2), node(9)), new DemoApplications(yarn), 4000L << 20);

    assertThat(sampler.sample(0))
        .extracting(NodeSampler.NodeMemory::name, NodeSampler.NodeMemory::reservedBytes)
        .containsExactly(
            tuple("node1", 0L),
            tuple("node2", 200L << 20),
            tuple("node3", 300L << 20),
            tuple("node10", 1000L << 20));
  }

  private ClusterNode node(int index) {
    return new ClusterNode("node" + (index + 1), "127.0.0.1", 1, directory, Optional.empty());
  }

  private static NodeReport report(String host, int reservedMb) {
    NodeReport report = mock();
    when(report.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
    when(report.getUsed()).thenReturn(Resource.newInstance(reservedMb, 1));
    return report;
  }
}
