/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.scheduler.resourcemanager.RegisteredNodes.Answer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class RegisteredNodesTest {
  private static final String ELSEWHERE = "192.0.2.7";

  private final Deque<Runnable> background = new ArrayDeque<>();
  private final Map<String, String> names = new HashMap<>();
  private final List<String> resolved = new ArrayList<>();
  private long nowNanos = 5;
  private final RegisteredNodes nodes =
      new RegisteredNodes(this::resolve, background::add, () -> nowNanos);

  @Test
  void noUserIsRefusedWhileTheNameIsResolved() throws Exception {
    List<RMNode> registered = List.of(node("node"));
    ExecutorService resolves = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 20_000; i++) {
        RegisteredNodes anew =
            new RegisteredNodes(
                host -> new InetAddress[] {InetAddress.getByName(ELSEWHERE)}, resolves, () -> 0);
        Answer answer;
        do {
          answer = anew.include(ELSEWHERE, registered);
        } while (answer == Answer.NOT_YET);
        assertThat(answer).isEqualTo(Answer.YES);
      }
    } finally {
      resolves.shutdownNow();
    }
  }

  @Test
  void requestsNeverWaitForNames() {
    names.put("node", ELSEWHERE);
    List<RMNode> registered = List.of(node("node"));

    assertThat(nodes.include(ELSEWHERE, registered)).isEqualTo(Answer.NOT_YET);
    later();
    assertThat(nodes.include(ELSEWHERE, registered)).isEqualTo(Answer.NOT_YET);
    assertThat(resolved).as("by the thread that asks").isEmpty();
    assertThat(background).as("one look at a time").hasSize(1);

    background.remove().run();
    assertThat(nodes.include(ELSEWHERE, registered)).isEqualTo(Answer.YES);
    assertThat(nodes.include("192.0.2.8", registered)).isEqualTo(Answer.NO);
  }

  @Test
  void aNameIsResolvedOnceInAWhileAndTriedAgainWhileItIsNotFound() {
    List<RMNode> registered = List.of(node("node"));
    ask(ELSEWHERE, registered);
    assertThat(nodes.include(ELSEWHERE, registered)).isEqualTo(Answer.NO);

    names.put("node", ELSEWHERE);
    later();
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.YES);
    later();
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.YES);
    assertThat(resolved).containsExactly("node", "node");
  }

  @Test
  void loopbackIsHeardWhereANodeIsRegisteredByIt() {
    names.put("here", "127.0.0.9");
    names.put("there", localAddress());
    assertThat(ask("127.0.0.1", List.of(node("there")))).isEqualTo(Answer.NO);
    later();
    assertThat(ask("127.0.0.1", List.of(node("here")))).isEqualTo(Answer.YES);
    assertThat(ask("::1", List.of(node("here")))).isEqualTo(Answer.YES);
  }

  @Test
  void nodesComeAndGo() {
    names.put("node", ELSEWHERE);
    assertThat(ask(ELSEWHERE, List.of())).isEqualTo(Answer.NO);
    later();
    assertThat(ask(ELSEWHERE, List.of(node("node")))).isEqualTo(Answer.YES);
    assertThat(ask(ELSEWHERE, List.of())).isEqualTo(Answer.NO);
    later();
    ask(ELSEWHERE, List.of());
    later();
    ask(ELSEWHERE, List.of(node("node")));
    assertThat(resolved).as("one that comes again has another address").hasSize(2);
  }

  @Test
  void aNodeThatComesBackWithAnotherAddressIsHeardAgain() {
    List<RMNode> registered = List.of(node("node"));
    names.put("node", ELSEWHERE);
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.YES);
    names.put("node", "192.0.2.8");
    later();
    assertThat(ask("192.0.2.8", registered)).isEqualTo(Answer.NO);

    nowNanos += RegisteredNodes.KEPT.toNanos();
    assertThat(ask("192.0.2.8", registered)).isEqualTo(Answer.YES);
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.NO);
  }

  @Test
  void aNodeWhoseNameIsNotFoundForAWhileIsStillHeard() {
    List<RMNode> registered = List.of(node("node"));
    names.put("node", ELSEWHERE);
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.YES);

    names.remove("node");
    nowNanos += RegisteredNodes.KEPT.toNanos();
    assertThat(ask(ELSEWHERE, registered)).isEqualTo(Answer.YES);
    assertThat(resolved).containsExactly("node", "node");
  }

  private Answer ask(String address, List<RMNode> registered) {
    nodes.include(address, registered);
    while (!background.isEmpty()) {
      background.remove().run();
    }
    return nodes.include(address, registered);
  }

  private InetAddress[] resolve(String host) throws UnknownHostException {
    resolved.add(host);
    if (!names.containsKey(host)) {
      throw new UnknownHostException(host);
    }
    return InetAddress.getAllByName(names.get(host));
  }

  /**
   * Returns an address of this machine other than loopback, with which a node on the
   * ResourceManager's host would register.
   */
  private static String localAddress() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress())
          .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
          .findFirst()
          .orElse(ELSEWHERE);
    } catch (SocketException e) {
      return ELSEWHERE;
    }
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
