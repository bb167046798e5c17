/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.NodeSize;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * A CapacityScheduler that keeps the requested sizes, up to that of a node. Hadoop's would round
 * them up to 1024 MB and cut them down to 8192 MB and 4 cores: it takes these two limits from the
 * process's own configuration, whatever the configuration passed to it says.
 */
final class ExactSizesScheduler extends CapacityScheduler {
  private static final Resource SMALLEST = Resource.newInstance(1, 1);

  private final Resource largest;

  ExactSizesScheduler(NodeSize node) {
    largest = Resource.newInstance(node.memoryBytes() >> 20, node.virtualCores());
  }

  @Override
  public Resource getMinimumResourceCapability() {
    return SMALLEST;
  }

  @Override
  public Resource getMaximumResourceCapability() {
    return largest;
  }
}
