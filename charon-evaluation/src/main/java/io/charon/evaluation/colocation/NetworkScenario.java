/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.config.RegulatorKeys;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A server that streams files over a link, together with senders that use as much of the link as
 * they can get.
 */
final class NetworkScenario implements Scenario {
  private static final int MEGABITS_PER_SECOND = 100;
  private static final int FILE_BYTES = 256 << 10;
  private static final int PAGE_BYTES = 1;
  private static final int WARM_UP_REQUESTS = 50;
  private static final Duration WARM_UP_PERIOD = Duration.ofMillis(40);
  private static final int RECEIVER_PORT = 9000;
  private static final int SENDERS = 4;
  private static final long SENDER_BYTES = 8L << 20;
  private static final long SEED = 20_000;

  private final ColocationTimes times;
  private final NativeTools tools;
  private final ColocatedNode node;
  private final NetworkCell cell;
  private final ShapedLink link;
  private final Path directory;
  private final Path received;
  private final LoadClient client;

  private NetworkScenario(
      ColocationTimes times,
      NativeTools tools,
      ColocatedNode node,
      NetworkCell cell,
      ShapedLink link,
      Path directory,
      Path received,
      LoadClient client) {
    this.times = times;
    this.tools = tools;
    this.node = node;
    this.cell = cell;
    this.link = link;
    this.directory = directory;
    this.received = received;
    this.client = client;
  }

  /**
   * Creates node, link and peer, and starts the server.
   *
   * @param name prefix of the names on this machine
   * @param cleanup receives the actions that remove everything
   */
  static NetworkScenario open(
      String name, ColocationTimes times, NativeTools tools, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path directory = TemporaryDirectory.create("charon-bench-", cleanup);
    NetworkCell cell = NetworkCell.linked(name, MEGABITS_PER_SECOND, cleanup);
    int cpus = Runtime.getRuntime().availableProcessors();
    String all = "0-" + (cpus - 1);
    ColocatedNode node =
        ColocatedNode.create(
            name, new CpuSplit(all, all), cpus, times.nodeWindow(), tools, cleanup);
    var unused =
        Nginx.start(
            node, directory, cell.atNode(), NetworkCell.NODE_ADDRESS, PAGE_BYTES, FILE_BYTES);
    Path received = directory.resolve("received.count");
    startReceiver(tools, cell, received, cleanup);
    LoadClient client =
        LoadClient.start(
            cell.atPeer(),
            "http://" + NetworkCell.NODE_ADDRESS + ":" + Nginx.PORT + "/file/",
            Nginx.PAGES,
            cleanup);
    client.warmUp(WARM_UP_REQUESTS, WARM_UP_PERIOD);
    return new NetworkScenario(
        times,
        tools,
        node,
        cell,
        ShapedLink.open(tools, node, cell, directory, MEGABITS_PER_SECOND, cleanup),
        directory,
        received,
        client);
  }

  private static void startReceiver(
      NativeTools tools, NetworkCell cell, Path received, Cleanup cleanup) throws IOException {
    List<String> command = new ArrayList<>(cell.atPeer());
    command.addAll(
        List.of(
            tools.workload().toString(),
            "receive-counted",
            received.toString(),
            NetworkCell.PEER_ADDRESS,
            Integer.toString(RECEIVER_PORT)));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    cleanup.add(process::destroyForcibly);
    String line = process.inputReader(StandardCharsets.US_ASCII).readLine();
    if (!"ready".equals(line)) {
      throw new IOException("the receiver does not start: " + line);
    }
  }

  @Override
  public String name() {
    return "network";
  }

  @Override
  public String setting() {
    return String.format(
        Locale.ROOT,
        "nginx streams files of %d KiB over a link of %d Mb/s beside %d best-effort"
            + " senders; load 10 to 60 %% of the link in steps of %.1f s",
        FILE_BYTES >> 10,
        MEGABITS_PER_SECOND,
        SENDERS,
        times.step().toMillis() / 1e3);
  }

  @Override
  public ColocationTimes times() {
    return times;
  }

  @Override
  public List<ColocationMode> modes() {
    return ColocationMode.named(
        "none",
        "static-rate-25",
        "static-rate-50",
        "static-rate-75",
        "network",
        "network-give-way",
        "all");
  }

  @Override
  public boolean knows(ColocationMode mode) {
    return switch (mode.kind()) {
      case NONE, STATIC_RATE -> true;
      default -> mode.regulates(name());
    };
  }

  @Override
  public Foreground startForeground(int repetition, Duration settle) throws IOException {
    return client.start(
        LoadSchedule.of(SEED + 2L * repetition, capacity() / FILE_BYTES, times, settle));
  }

  /** Returns the capacity of the link, in bytes per second. */
  private static double capacity() {
    return MEGABITS_PER_SECOND * 1e6 / Byte.SIZE;
  }

  @Override
  public ColocatedNode node() {
    return node;
  }

  @Override
  public Optional<ShapedLink> link() {
    return Optional.of(link);
  }

  @Override
  public Surroundings surroundings() {
    return Scenario.super.surroundings().with(link.device().sysRoot());
  }

  @Override
  public Map<String, String> machineKeys(ColocationMode mode) {
    Map<String, String> keys = new HashMap<>(link.keys());
    if (mode.equals(ColocationMode.ALL)) {
      keys.put(RegulatorKeys.NETWORK_MODE, "enforce");
    }
    return keys;
  }

  /** Returns the senders; their work is measured by the bytes that the peer receives. */
  @Override
  public ColocatedTasks tasks() {
    List<String> send = new ArrayList<>(cell.atNode());
    send.addAll(
        List.of(
            tools.workload().toString(),
            "send",
            NetworkCell.PEER_ADDRESS,
            Integer.toString(RECEIVER_PORT)));
    return new ColocatedTasks(directory, counter -> send, SENDERS, SENDER_BYTES);
  }

  @Override
  public long done(ColocatedTasks tasks) throws IOException {
    return ColocatedTasks.read(received);
  }

  @Override
  public Utilization startUtilization() throws IOException, InterruptedException {
    long start = System.nanoTime();
    long before = cell.carriedBytes();
    return () -> (cell.carriedBytes() - before) / ((System.nanoTime() - start) / 1e9) / capacity();
  }
}
