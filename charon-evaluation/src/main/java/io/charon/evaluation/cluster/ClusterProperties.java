/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Builds the {@code yarn-site.xml} and {@code capacity-scheduler.xml} of a cluster's daemons. */
final class ClusterProperties {
  private static final String RESOURCE_MANAGER_ADDRESS = "127.0.0.1";

  /** Unit to which container sizes are rounded up, MiB. */
  private static final String ALLOCATION_STEP_MB = "4";

  private static final String QUEUES = "yarn.scheduler.capacity.root";

  private ClusterProperties() {}

  /** Ports of the ResourceManager. */
  record ResourceManagerPorts(int client, int scheduler, int tracker, int admin, int web) {
    static ResourceManagerPorts of(FreePorts free) throws IOException {
      String address = RESOURCE_MANAGER_ADDRESS;
      return new ResourceManagerPorts(
          free.next(address),
          free.next(address),
          free.next(address),
          free.next(address),
          free.next(address));
    }
  }

  /** Ports of a NodeManager; they stay the same over restarts, which recovery requires. */
  record NodeManagerPorts(
      int containers, int localizer, int collector, int web, int shuffle, int proxy) {
    static NodeManagerPorts of(FreePorts free, String address) throws IOException {
      return new NodeManagerPorts(
          free.next(address),
          free.next(address),
          free.next(address),
          free.next(address),
          free.next(address),
          free.next(address));
    }
  }

  /** Returns properties that clients, daemons and ApplicationMasters all need. */
  static Map<String, String> common(
      ClusterSpec spec, Installation installation, ClusterFiles files, ResourceManagerPorts ports) {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("fs.defaultFS", "file:///");
    site.put("hadoop.tmp.dir", files.root().resolve("tmp").toString());
    // The default is one directory for all ResourceManagers of a machine, of which only one could
    // then start.
    site.put(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        files.root().resolve("node-attributes").toUri().toString());
    site.put("yarn.resourcemanager.hostname", RESOURCE_MANAGER_ADDRESS);
    site.put("yarn.resourcemanager.address", resourceManager(ports.client()));
    site.put("yarn.resourcemanager.scheduler.address", resourceManager(ports.scheduler()));
    site.put("yarn.resourcemanager.resource-tracker.address", resourceManager(ports.tracker()));
    site.put("yarn.resourcemanager.admin.address", resourceManager(ports.admin()));
    site.put("yarn.resourcemanager.webapp.address", resourceManager(ports.web()));
    site.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
    site.put(
        YarnConfiguration.YARN_APPLICATION_CLASSPATH,
        "$HADOOP_CONF_DIR," + installation.lib() + "/*");
    // LinuxContainerExecutor localizes files of containers in a separate JVM.
    site.put(
        YarnConfiguration.NM_CONTAINER_LOCALIZER_JAVA_OPTS_KEY,
        YarnConfiguration.NM_CONTAINER_LOCALIZER_JAVA_OPTS_DEFAULT
            + " "
            + DaemonLauncher.hostsFileOption(files.hosts()));
    site.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
    site.put("yarn.scheduler.minimum-allocation-mb", ALLOCATION_STEP_MB);
    site.put(
        "yarn.scheduler.maximum-allocation-mb", Integer.toString(spec.node().offeredMemoryMb()));
    site.put("yarn.resourcemanager.opportunistic-container-allocation.enabled", "true");
    String limit = Integer.toString(spec.node().queueLimit());
    site.put("yarn.resourcemanager.nm-container-queuing.min-queue-length", limit);
    site.put("yarn.resourcemanager.nm-container-queuing.max-queue-length", limit);
    site.put("yarn.nodemanager.opportunistic-containers-max-queue-length", limit);
    site.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    return site;
  }

  /**
   * Returns the {@code mapred-site.xml} of a NodeManager. MapReduce's defaults are loaded after
   * {@code yarn-site.xml} and would override it.
   */
  static Map<String, String> shuffle(NodeManagerPorts ports) {
    return Map.of("mapreduce.shuffle.port", Integer.toString(ports.shuffle()));
  }

  /** Returns properties of a single NodeManager. */
  static Map<String, String> nodeManager(
      ClusterSpec spec, NodeDirectories directories, ClusterNode node, NodeManagerPorts ports) {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("yarn.nodemanager.hostname", node.hostName());
    site.put("yarn.nodemanager.address", node.address() + ":" + ports.containers());
    site.put("yarn.nodemanager.localizer.address", node.address() + ":" + ports.localizer());
    site.put(
        "yarn.nodemanager.collector-service.address", node.address() + ":" + ports.collector());
    site.put("yarn.nodemanager.amrmproxy.address", proxy(node, ports));
    site.put("yarn.nodemanager.webapp.address", node.address() + ":" + ports.web());
    site.put("yarn.nodemanager.local-dirs", directories.local());
    site.put("yarn.nodemanager.log-dirs", directories.logs());
    site.put("yarn.nodemanager.recovery.enabled", Boolean.toString(spec.recovery()));
    site.put("yarn.nodemanager.recovery.supervised", Boolean.toString(spec.recovery()));
    site.put("yarn.nodemanager.recovery.dir", directories.recovery());
    site.put(
        "yarn.nodemanager.resource.memory-mb", Integer.toString(spec.node().offeredMemoryMb()));
    site.put("yarn.nodemanager.resource.cpu-vcores", Integer.toString(spec.node().virtualCores()));
    site.put("yarn.nodemanager.vmem-check-enabled", "false");
    // One percent of a large disk is more than a cluster on this machine writes.
    site.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    site.put("yarn.nodemanager.sleep-delay-before-sigkill.ms", "250");
    site.put("yarn.nodemanager.delete.debug-delay-sec", "0");
    return site;
  }

  /**
   * Returns properties for the ApplicationMasters on a node that places containers itself: they
   * talk to the node's proxy, which talks to the ResourceManager.
   */
  static Map<String, String> distributedScheduling(ClusterNode node, NodeManagerPorts ports) {
    return Map.of("yarn.resourcemanager.scheduler.address", proxy(node, ports));
  }

  private static String proxy(ClusterNode node, NodeManagerPorts ports) {
    return node.address() + ":" + ports.proxy();
  }

  /** Directories of one NodeManager. */
  record NodeDirectories(String local, String logs, String recovery) {}

  static Map<String, String> capacityScheduler(ClusterSpec spec) {
    Map<String, String> queues = new LinkedHashMap<>();
    queues.put(
        QUEUES + ".queues",
        spec.queues().stream().map(ClusterSpec.Queue::name).collect(Collectors.joining(",")));
    queues.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    // All nodes are on one machine and one rack, so locality does not matter.
    queues.put("yarn.scheduler.capacity.node-locality-delay", "-1");
    for (ClusterSpec.Queue queue : spec.queues()) {
      String prefix = QUEUES + "." + queue.name() + ".";
      queues.put(prefix + "capacity", Double.toString(queue.capacityPercent()));
      queues.put(prefix + "maximum-capacity", "100");
      queues.put(prefix + "user-limit-factor", "100");
      queues.put(
          prefix + "max-parallel-apps", Integer.toString(queue.maximumParallelApplications()));
    }
    return queues;
  }

  private static String resourceManager(int port) {
    return RESOURCE_MANAGER_ADDRESS + ":" + port;
  }
}
