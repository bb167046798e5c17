/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node and its peer in network namespaces of their own, connected by a link of known capacity.
 * The link is a third namespace that forwards packets and limits the rate towards the peer. Packets
 * above the rate wait there, as at the port of a switch, where the node cannot see them.
 *
 * @param name prefix of the names of the namespaces
 */
record NetworkCell(String name) {
  /** Addresses reserved for benchmarks (RFC 2544). */
  static final String NODE_ADDRESS = "198.18.1.1";

  static final String PEER_ADDRESS = "198.18.2.1";
  static final String NODE_DEVICE = "node0";

  private static final String NODE_GATEWAY = "198.18.1.254";
  private static final String PEER_GATEWAY = "198.18.2.254";
  private static final String PEER_DEVICE = "peer0";
  private static final String TO_NODE = "tonode0";
  private static final String TO_PEER = "topeer0";

  /** Maximum time that a packet waits in the link's queue. */
  private static final String QUEUE = "100ms";

  /**
   * Minimum retransmission timeout, as suits this link. With the Internet's 200 ms, a few losses
   * would determine the 95th percentile.
   */
  private static final String MIN_RETRANSMISSION_TIMEOUT = "20ms";

  private static final Path IP = Path.of("/sbin/ip");
  private static final String BURST = "32kb";

  /**
   * Creates a node that has no network but its own loopback.
   *
   * @param cleanup receives the action that removes the node
   */
  static NetworkCell loopback(String name, Cleanup cleanup)
      throws IOException, InterruptedException {
    NetworkCell cell = new NetworkCell(name);
    cell.addNamespace(cell.node(), cleanup);
    return cell;
  }

  /**
   * Creates a node that is linked to its peer.
   *
   * @param megabitsPerSecond capacity of the link towards the peer
   * @param cleanup receives the actions that remove everything
   */
  static NetworkCell linked(String name, int megabitsPerSecond, Cleanup cleanup)
      throws IOException, InterruptedException {
    NetworkCell cell = loopback(name, cleanup);
    cell.addNamespace(cell.link(), cleanup);
    cell.addNamespace(cell.peer(), cleanup);
    cell.join(cell.node(), NODE_DEVICE, NODE_ADDRESS, TO_NODE, NODE_GATEWAY);
    cell.join(cell.peer(), PEER_DEVICE, PEER_ADDRESS, TO_PEER, PEER_GATEWAY);
    ip("netns", "exec", cell.link(), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    Programs.run(
        List.of(
            "tc",
            "-n",
            cell.link(),
            "qdisc",
            "add",
            "dev",
            TO_PEER,
            "root",
            "tbf",
            "rate",
            megabitsPerSecond + "mbit",
            "burst",
            BURST,
            "latency",
            QUEUE));
    return cell;
  }

  /**
   * Creates a device outside of any cell that carries no traffic.
   *
   * @param cleanup receives the action that removes it
   * @return its name
   */
  static String idleDevice(Cleanup cleanup) throws IOException, InterruptedException {
    String device = "chb" + ProcessHandle.current().pid();
    ip("link", "add", device, "type", "veth", "peer", "name", device + "p");
    cleanup.add(() -> ip("link", "del", device));
    ip("link", "set", device, "up");
    ip("link", "set", device + "p", "up");
    return device;
  }

  String node() {
    return name + "-node";
  }

  String link() {
    return name + "-link";
  }

  String peer() {
    return name + "-peer";
  }

  /** Returns the words that precede a command to run it at the node. */
  List<String> atNode() {
    return List.of("/usr/bin/nsenter", "--net=/run/netns/" + node());
  }

  /** Returns the words that precede a command to run it at the peer. */
  List<String> atPeer() {
    return List.of("/usr/bin/nsenter", "--net=/run/netns/" + peer());
  }

  /** Returns the bytes that the link has carried to the peer, including headers. */
  long carriedBytes() throws IOException, InterruptedException {
    return Long.parseLong(
        Programs.run(
                List.of(
                    "ip",
                    "netns",
                    "exec",
                    link(),
                    "cat",
                    "/sys/class/net/" + TO_PEER + "/statistics/tx_bytes"))
            .strip());
  }

  private void addNamespace(String namespace, Cleanup cleanup)
      throws IOException, InterruptedException {
    ip("netns", "add", namespace);
    cleanup.add(() -> remove(namespace));
    ip("-n", namespace, "link", "set", "lo", "up");
  }

  private void join(
      String namespace, String device, String address, String linkDevice, String gateway)
      throws IOException, InterruptedException {
    ip(
        "-n",
        namespace,
        "link",
        "add",
        device,
        "type",
        "veth",
        "peer",
        "name",
        linkDevice,
        "netns",
        link());
    ip("-n", namespace, "address", "add", address + "/24", "dev", device);
    ip("-n", namespace, "link", "set", device, "up");
    ip("-n", link(), "address", "add", gateway + "/24", "dev", linkDevice);
    ip("-n", link(), "link", "set", linkDevice, "up");
    ip(
        "-n",
        namespace,
        "route",
        "add",
        "default",
        "via",
        gateway,
        "rto_min",
        MIN_RETRANSMISSION_TIMEOUT);
  }

  private static void remove(String namespace) throws IOException, InterruptedException {
    if (Files.exists(Path.of("/run/netns", namespace))) {
      ip("netns", "delete", namespace);
    }
  }

  private static void ip(String... words) throws IOException, InterruptedException {
    if (!Files.isExecutable(IP)) {
      throw new IOException(
          "no "
              + IP
              + ": run in the repository: kernel-ua-killer/install-packages.sh --colocation");
    }
    Programs.run(Stream.concat(Stream.of(IP.toString()), Stream.of(words)).toList());
  }
}
