/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.scheduler.resourcemanager.BestEffortProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
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
 * The time that Charon's processor adds to an ApplicationMaster's calls to a real ResourceManager
 * with 1,000 nodes. Under stock YARN, the application itself asks for OPPORTUNISTIC containers.
 * With Charon, it asks for GUARANTEED ones.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ResourceManagerBenchmark {
  private static final int NODES = 1000;
  private static final int CONTAINERS = 10;

  /** Whether Charon's processor precedes YARN's. */
  @Param({"stock", "charon"})
  public String processors;

  private LoadedResourceManager resourceManager;
  private BenchApplication application;
  private ExecutionType asked;
  private List<ContainerId> held = List.of();

  /** Starts a ResourceManager whose nodes have reported, and one best-effort application. */
  @Setup
  public void start() throws Exception {
    boolean charon = processors.equals("charon");
    asked = charon ? ExecutionType.GUARANTEED : ExecutionType.OPPORTUNISTIC;
    resourceManager =
        new LoadedResourceManager(NODES, charon ? BestEffortProcessor.class.getName() : "");
    application = resourceManager.submit("bench");
    awaitAllocations();
  }

  /** Stops the ResourceManager. */
  @TearDown
  public void stop() {
    resourceManager.close();
  }

  /** Measures a call that asks for ten containers and releases the ten of the previous call. */
  @Benchmark
  public List<Container> tenContainers() throws Exception {
    ResourceRequest ask = BenchApplication.ask(asked, CONTAINERS);
    List<Container> allocated = application.allocate(List.of(ask), held);
    if (allocated.size() != CONTAINERS) {
      throw new IllegalStateException(
          "asked for " + CONTAINERS + " containers, got " + allocated.size());
    }
    held = allocated.stream().map(Container::getId).toList();
    return allocated;
  }

  /** Measures a heartbeat without requests and allocations, the most frequent kind. */
  @Benchmark
  public List<Container> heartbeat() throws Exception {
    return application.allocate(List.of(), List.of());
  }

  /** Waits until the allocator uses the nodes' reports, which takes up to a second. */
  private void awaitAllocations() throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    List<ContainerId> given = new ArrayList<>();
    List<ResourceRequest> asks = List.of(BenchApplication.ask(asked, CONTAINERS));
    while (given.size() < CONTAINERS) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no container within a minute");
      }
      application.allocate(asks, List.of()).forEach(container -> given.add(container.getId()));
      asks = List.of();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    application.allocate(List.of(), given);
  }
}
