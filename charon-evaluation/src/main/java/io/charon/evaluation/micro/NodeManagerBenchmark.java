/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.config.CgroupKeys;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The time in which a real NodeManager with 500 containers, 100 of them OPPORTUNISTIC, makes the
 * report that a heartbeat carries. Its monitor, and with Charon its agent, sample the containers
 * meanwhile as usual.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class NodeManagerBenchmark {
  private static final int CONTAINERS = 500;

  /**
   * Time to settle: 500 launches keep threads busy for a while after the last container has
   * started.
   */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  /** Scheduler of the node's containers. */
  @Param({"stock", "charon"})
  public String scheduler;

  private Path directory;
  private LoadedNodeManager nodeManager;

  /** Starts a NodeManager and waits until all of its containers have been running for a while. */
  @Setup
  public void start() throws Exception {
    directory = Files.createTempDirectory("charon-bench-nodemanager-");
    nodeManager =
        new LoadedNodeManager(
            directory, scheduler.equals("charon") ? charon() : Map.of(), CONTAINERS);
    TimeUnit.SECONDS.sleep(SETTLING.toSeconds());
  }

  /** Stops the NodeManager with all of its containers. */
  @TearDown
  public void stop() throws IOException {
    nodeManager.close();
    TemporaryDirectory.delete(directory);
  }

  /** Measures one report. */
  @Benchmark
  public NodeStatus heartbeat() throws IOException {
    return nodeManager.report();
  }

  /**
   * Returns an operator's properties without those that need root and without MapReduce's shuffle.
   */
  private static Map<String, String> charon() {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager("enforce"));
    properties.put("yarn.nodemanager.aux-services", "charon");
    properties.put(CgroupKeys.ENABLED, "false");
    properties.put(SettingsReader.MEMORY_BOUNDARY, "host");
    properties.put(KernelKillerSettings.ENABLED, "false");
    return properties;
  }
}
