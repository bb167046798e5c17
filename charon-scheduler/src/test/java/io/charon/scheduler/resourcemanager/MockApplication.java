/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;

/** An unmodified application, which requests GUARANTEED containers and keeps its own records. */
final class MockApplication {

  final MockAM master;
  final List<Container> got = new ArrayList<>();
  final List<ContainerStatus> ended = new ArrayList<>();
  private final MockCluster cluster;

  MockApplication(MockCluster cluster, MockAM master) {
    this.cluster = cluster;
    this.master = master;
  }

  static ResourceRequest ask(String place, int containers) {
    return ResourceRequest.newInstance(
        Priority.newInstance(20),
        place,
        Resource.newInstance(MockCluster.CONTAINER_MB, 1),
        containers);
  }

  void ask(ResourceRequest... requests) throws Exception {
    take(master.allocate(Arrays.asList(requests), List.of()));
  }

  void ask(int containers) throws Exception {
    ask(ask(ResourceRequest.ANY, containers));
  }

  void release(List<ContainerId> containers) throws Exception {
    take(master.allocate(List.of(), containers));
  }

  AllocateResponse allocate(AllocateRequest request) throws Exception {
    AllocateResponse response = master.allocate(request);
    take(response);
    return response;
  }

  void heartbeat() throws Exception {
    take(master.doHeartbeat());
  }

  /** Sends heartbeats until it has the given total number of containers. */
  void await(int containers) throws Exception {
    cluster.until(
        containers + " containers for " + id() + ", has " + got.size(),
        () -> {
          heartbeat();
          return got.size() >= containers;
        });
  }

  List<String> hosts() {
    return got.stream().map(container -> container.getNodeId().getHost()).toList();
  }

  List<ExecutionType> types() {
    return got.stream().map(Container::getExecutionType).distinct().toList();
  }

  ApplicationAttemptId id() {
    return master.getApplicationAttemptId();
  }

  private void take(AllocateResponse response) {
    got.addAll(response.getAllocatedContainers());
    ended.addAll(response.getCompletedContainersStatuses());
  }
}
