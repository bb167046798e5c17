/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class RegisteredNodesTest {
  private static final String ELSEWHERE = "192.0.2.7"; // an address for examples, nobody's

  private long nowNanos;
  private final RegisteredNodes nodes = new RegisteredNodes(() -> nowNanos);

  @Test
  void onlyAddressesOfNodesAreHeard() {
    List<RMNode> registered = List.of(node(ELSEWHERE));
    assertThat(nodes.include(ELSEWHERE, registered)).isTrue();
    assertThat(nodes.include("192.0.2.8", registered)).isFalse();
  }

  @Test
  void loopbackIsHeardWhereANodeIsOnThisMachine() {
    assertThat(nodes.include("127.0.0.1", List.of(node(ELSEWHERE)))).isFalse();
    later();
    assertThat(nodes.include("127.0.0.1", List.of(node("127.0.0.9")))).isTrue();
    assertThat(nodes.include("::1", List.of(node("127.0.0.9")))).isTrue();
  }

  @Test
  void nodesComeAndGo() {
    assertThat(nodes.include(ELSEWHERE, List.of())).isFalse();
    later();
    assertThat(nodes.include(ELSEWHERE, List.of(node(ELSEWHERE)))).isTrue();
    later();
    assertThat(nodes.include(ELSEWHERE, List.of())).isFalse();
  }

  private void later() {
    nowNanos += Duration.ofSeconds(1).toNanos();
  }

  private static RMNode node(String host) {
    RMNode node = mock(RMNode.class);
    when(node.getNodeID()).thenReturn(NodeId.newInstance(host, 1234));
    return node;
  }
}
