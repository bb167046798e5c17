/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.config.CoresKeys;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.report.status.RegulatorDocument;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;

/**
 * Measures the cost of the agent as it ships, with every mechanism in {@code enforce}, on nodes
 * with few and with many containers.
 */
final class AgentBench {
  /** Numbers of containers on the measured nodes. */
  static final List<Integer> SIZES = List.of(10, 100, 500);

  /** Longest wait for a container that the agent does not start yet. */
  private static final Duration LAUNCH_TIMEOUT = Duration.ofMinutes(2);

  /**
   * Windows of the laws. Best-effort starts only after the first one, and a longer one costs a tick
   * no more.
   */
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** How long each node runs before it is measured (our choice). */
  static final Duration WARM_UP = Duration.ofSeconds(60);

  /** The shortest period that the key allows. */
  private static final String SHORT_TICK_MILLIS = "100";

  private static final JobKey JOB = new JobKey("charon bench colocation");
  private static final Owner OWNER = new Owner("charon", "application_1_0001");
  private static final long REQUEST_BYTES = 1L << 20;

  /** As much as a small node has; the containers use a fraction of it. */
  private static final long NODE_BYTES = 16L << 30;

  private AgentBench() {}

  /** A node with the agent and its containers, which all run. */
  private record Node(ShippedNode agent, Ticks ticks) {}

  /** Counts the ticks and their CPU time; called on their thread. */
  private static final class Ticks implements Runnable {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public void run() {
      count.incrementAndGet();
      nanos.set(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }
  }

  @FunctionalInterface
  private interface Work<T> {
    T on(Node node) throws IOException, InterruptedException;
  }

  /**
   * Runs the agent on a small node with short ticks, so that the JVM has loaded and compiled what a
   * NodeManager has compiled long ago: code that runs once per tick is compiled after 200 ticks.
   *
   * @param name name of the node on this machine
   * @throws IOException as {@link #measure} does
   */
  static void warmUp(String name, NativeTools tools) throws IOException, InterruptedException {
    boolean unused =
        with(
            name,
            SIZES.get(0),
            Map.of(SettingsReader.TICK, SHORT_TICK_MILLIS),
            tools,
            node -> {
              Thread.sleep(WARM_UP.toMillis());
              return true;
            });
  }

  /**
   * Measures one node, after it has run for {@link #WARM_UP}.
   *
   * @param name name of the node on this machine
   * @param measured duration of the measurement
   * @throws IOException if the node cannot be built here, or the agent ended a container
   */
  static AgentCost measure(String name, int containers, Duration measured, NativeTools tools)
      throws IOException, InterruptedException {
    return with(
        name,
        containers,
        Map.of(),
        tools,
        node -> {
          Thread.sleep(WARM_UP.toMillis());
          int firstTick = node.ticks().count.get();
          long firstNanos = node.ticks().nanos.get();
          AgentCpu before = AgentCpu.read();
          long start = System.nanoTime();
          Thread.sleep(measured.toMillis());
          int counted = node.ticks().count.get() - firstTick;
          if (counted == 0) {
            throw new IOException("the agent did not tick within " + measured);
          }
          double tickMicros = (node.ticks().nanos.get() - firstNanos) / 1e3 / counted;
          SortedMap<String, Double> percent = AgentCpu.read().since(before);
          double seconds = (System.nanoTime() - start) / 1e9;
          percent.replaceAll((part, used) -> used / seconds * 100);
          return new AgentCost(
              containers,
              WARM_UP,
              counted,
              node.agent().agent().settings().sensors().tick(),
              tickMicros,
              percent,
              unavailable(node.agent()));
        });
  }

  private static <T> T with(
      String name, int containers, Map<String, String> special, NativeTools tools, Work<T> work)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      int cpus = Runtime.getRuntime().availableProcessors();
      String all = "0-" + (cpus - 1);
      ColocatedNode place =
          ColocatedNode.create(
              name, new CpuSplit(all, all), cpus, Optional.of(WINDOW), tools, cleanup);
      place.resize(NODE_BYTES);
      Map<String, String> keys =
          new TreeMap<>(LoadedKernelKiller.load(name, place, tools, cleanup).keys());
      keys.putAll(everyMechanism());
      keys.put(RegulatorKeys.NETWORK_DEVICE, NetworkCell.idleDevice(cleanup));
      keys.put(
          SettingsReader.AUDIT_DIRECTORY,
          TemporaryDirectory.create("charon-bench-", cleanup).toAbsolutePath().toString());
      keys.putAll(special);
      AtomicInteger ended = new AtomicInteger();
      List<ColocatedContainer> sleeping = new ArrayList<>();
      try (ShippedNode node =
          new ShippedNode(
              place,
              keys,
              Surroundings.ofThisMachine(Path.of("/proc")),
              id -> ended.incrementAndGet())) {
        Ticks ticks = new Ticks();
        node.agent().signals().onTick(ticks);
        node.agent().start();
        for (int i = 0; i < containers; i++) {
          // Production first: growth of production beside best-effort would be a violation.
          ExecutionType type =
              i < containers / 2 ? ExecutionType.GUARANTEED : ExecutionType.OPPORTUNISTIC;
          sleeping.add(start(node, i, type));
        }
        T result = work.on(new Node(node, ticks));
        if (ended.get() > 0) {
          throw new IOException(
              "the agent ended "
                  + ended.get()
                  + " of the sleeping containers: "
                  + node.agent().status().containment().kills());
        }
        return result;
      } finally {
        for (ColocatedContainer container : sleeping) {
          container.end();
        }
      }
    }
  }

  /** Returns the keys that turn on every mechanism that ships. */
  static Map<String, String> everyMechanism() {
    Configuration shipped = new Configuration(false);
    shipped.addResource(SettingsReader.class.getResource("charon-site.xml"));
    Map<String, String> keys = new TreeMap<>();
    shipped.getPropsWithPrefix(SettingsReader.PREFIX).keySet().stream()
        .filter(key -> key.endsWith(".mode"))
        .forEach(key -> keys.put(SettingsReader.PREFIX + key, "enforce"));
    keys.put(CoresKeys.WATER_LINE, "65");
    keys.put(CoresKeys.FOLLOW_LOAD, "true");
    keys.put(RegulatorKeys.NETWORK_LINK, "1000");
    keys.put(ProactiveReclaimSettings.PRODUCTION, "all");
    return keys;
  }

  private static ColocatedContainer start(ShippedNode node, int number, ExecutionType type)
      throws IOException, InterruptedException {
    ContainerInfo container =
        new ContainerInfo("container_" + number, OWNER, type, false, JOB, REQUEST_BYTES, 1);
    long end = System.nanoTime() + LAUNCH_TIMEOUT.toNanos();
    while (System.nanoTime() - end < 0) {
      Optional<ColocatedContainer> started = node.launch(container, List.of("sleep", "infinity"));
      if (started.isPresent()) {
        return started.get();
      }
      Thread.sleep(20);
    }
    throw new IOException(
        "the agent does not start container "
            + number
            + " of its node: "
            + node.agent().status().launches().queued());
  }

  private static List<String> unavailable(ShippedNode node) {
    return node.agent().status().mechanisms().regulators().stream()
        .filter(one -> Boolean.FALSE.equals(one.available()))
        .map(RegulatorDocument::name)
        .toList();
  }
}
