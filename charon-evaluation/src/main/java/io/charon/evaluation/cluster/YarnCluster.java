/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.cluster.ClusterProperties.NodeDirectories;
import io.charon.evaluation.cluster.ClusterProperties.NodeManagerPorts;
import io.charon.evaluation.cluster.ClusterProperties.ResourceManagerPorts;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A running cluster: one ResourceManager and several NodeManagers, each in a JVM of its own; every
 * NodeManager has a loopback address of its own. {@link #close()} ends every process that the
 * cluster started, including containers whose NodeManager is gone, and removes its cgroups and its
 * work directory; a shutdown hook does the same.
 */
public final class YarnCluster implements ClusterClient, AutoCloseable {
  private static final String RESOURCE_MANAGER =
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";

  /** CPU weight of a node's containers, and of its share of the daemons, in processes. */
  private static final int PROCESSES_PER_NODE = 10;

  private static final String YARN_SITE = "yarn-site.xml";

  /** Time limit for the start of all daemons, which takes 8 s on two idle cores. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private static final Duration TERMINATION_LIMIT = Duration.ofSeconds(5);

  private final Installation installation;
  private final ClusterSpec spec;
  private final ClusterFiles files;
  private final Optional<NodeCgroups> cgroups;
  private final DaemonLauncher launcher;
  private final List<Runnable> beforeRemoval = new CopyOnWriteArrayList<>();
  private final Thread shutdownHook = new Thread(this::release, "charon-cluster-cleanup");
  private final List<ClusterNode> nodes = new ArrayList<>();
  private final List<Daemon> nodeManagers = new ArrayList<>();
  private Daemon resourceManager;
  private Map<String, String> common;
  private Configuration client;
  private boolean released;

  private YarnCluster(
      Installation installation,
      ClusterSpec spec,
      ClusterFiles files,
      Optional<NodeCgroups> cgroups) {
    this.installation = installation;
    this.spec = spec;
    this.files = files;
    this.cgroups = cgroups;
    this.launcher =
        new DaemonLauncher(
            installation, files, cgroups, spec.cgroupRoot().map(ClusterLeftovers::daemons));
  }

  /**
   * Starts a cluster and waits until all its nodes are registered.
   *
   * @throws IOException if a daemon does not start, with the end of its log, or a cgroup cannot be
   *     created; nothing is left behind
   * @throws InterruptedException if the thread is interrupted; nothing is left behind
   */
  public static YarnCluster start(Installation installation, ClusterSpec spec)
      throws IOException, InterruptedException {
    return start(installation, spec, TemporaryDirectory.create("charon-cluster-"));
  }

  /**
   * Starts a cluster in a directory chosen by the caller.
   *
   * @param workDirectory empty, writable only by this user, with a path without blanks
   */
  public static YarnCluster start(Installation installation, ClusterSpec spec, Path workDirectory)
      throws IOException, InterruptedException {
    ClusterLeftovers.removeOfKilled();
    SharedClasses.of(installation).prepare();
    ClusterFiles files = new ClusterFiles(workDirectory);
    Optional<NodeCgroups> cgroups =
        spec.cgroupRoot().isPresent() ? NodeCgroups.find(Path.of("/proc")) : Optional.empty();
    YarnCluster cluster = new YarnCluster(installation, spec, files, cgroups);
    Runtime.getRuntime().addShutdownHook(cluster.shutdownHook);
    try {
      cluster.startDaemons();
      cluster.awaitNodes(spec.nodes(), START_LIMIT);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** Returns the nodes in the order of their indexes. */
  public List<ClusterNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Returns the address of the ResourceManager's web server. */
  public String web() {
    return "http://" + client.get(YarnConfiguration.RM_WEBAPP_ADDRESS);
  }

  @Override
  public Configuration clientConfiguration() {
    return new YarnConfiguration(client);
  }

  /** Returns the directory of all files of the cluster; removed by {@link #close()}. */
  @Override
  public Path workDirectory() {
    return files.root();
  }

  @Override
  public String jvmOptions() {
    return launcher.jvmOptions();
  }

  /**
   * Writes a configuration directory, as {@code HADOOP_CONF_DIR} names it, for clients in other
   * processes.
   *
   * @param directory created if missing
   * @param work directory of the staging files of jobs; may contain variables of Hadoop's
   *     configuration
   * @param queue default queue of MapReduce jobs
   * @param masterMb default memory of a job's ApplicationMaster, MiB
   * @param taskMb default memory of each of its tasks, MiB
   */
  public void writeClientConfiguration(
      Path directory, Path work, String queue, int masterMb, int taskMb) throws IOException {
    Configuration job = new Configuration(false);
    MapReduceSettings.addTo(
        job,
        work,
        installation.lib() + "/*",
        jvmOptions() + SharedClasses.of(installation).taskOptions(),
        masterMb,
        taskMb,
        "-Xmx" + taskMb / 2 + "m");
    job.set("mapreduce.job.queuename", queue);
    job.setInt("mapreduce.task.io.sort.mb", taskMb / 8);
    Map<String, String> site = new LinkedHashMap<>(common);
    site.replaceAll((name, value) -> client.get(name));
    ClientFiles.write(directory, site, job, jvmOptions());
  }

  /** Returns the log of a NodeManager. */
  public Path nodeManagerLog(int index) {
    return files.log(nodes.get(index).hostName());
  }

  /** Returns the log of the ResourceManager. */
  public Path resourceManagerLog() {
    return files.log("resourcemanager");
  }

  /** Returns the process id of a NodeManager's JVM. */
  public long nodeManagerPid(int index) {
    return nodeManagers.get(index).pid();
  }

  /** Kills a NodeManager's JVM (SIGKILL); its containers continue to run, as after a crash. */
  public synchronized void killNodeManager(int index) {
    nodeManagers.get(index).kill();
  }

  /**
   * Starts a NodeManager again after {@link #killNodeManager}, with the same ports, directories and
   * cgroup.
   *
   * @throws IOException if the JVM cannot be started
   */
  public synchronized void startNodeManager(int index) throws IOException {
    nodeManagers.set(
        index, launcher.launch(nodes.get(index).hostName(), spec.nodeManagerClass(), 320));
  }

  /**
   * Fails if a daemon has exited.
   *
   * @throws IOException if one has exited; the message has the end of its log
   */
  public synchronized void requireAlive() throws IOException {
    resourceManager.requireAlive();
    for (Daemon nodeManager : nodeManagers) {
      nodeManager.requireAlive();
    }
  }

  /**
   * Waits until the ResourceManager has a number of running nodes.
   *
   * @throws IOException if a daemon exits or the limit passes; the message has the end of a log
   */
  public void awaitNodes(int count, Duration limit) throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    awaitResourceManager(end);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(clientConfiguration());
      yarn.start();
      while (yarn.getNodeReports(NodeState.RUNNING).size() < count) {
        checkTime(end, "fewer than " + count + " NodeManagers registered");
      }
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not answer:\n" + resourceManager.tail(), e);
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // The shutdown hook has nothing left to do.
    }
  }

  private void startDaemons() throws IOException {
    FreePorts ports = new FreePorts();
    common = ClusterProperties.common(spec, installation, files, ResourceManagerPorts.of(ports));
    Map<String, String> site = new LinkedHashMap<>(common);
    site.putAll(spec.properties());
    client = new YarnConfiguration();
    site.forEach(client::set);
    writeHosts();
    files.writeDaemonsConfiguration(LocalFiles.properties());
    files.writeConfiguration(
        "resourcemanager",
        Map.of(
            YARN_SITE, site, "capacity-scheduler.xml", ClusterProperties.capacityScheduler(spec)));
    weighNodes();
    synchronized (this) {
      resourceManager = launcher.launch("resourcemanager", RESOURCE_MANAGER, 384);
      for (int index = 0; index < spec.nodes(); index++) {
        addNode(index, ports);
      }
    }
  }

  private void addNode(int index, FreePorts ports) throws IOException {
    String address = nodeAddress(index);
    NodeManagerPorts nodePorts = NodeManagerPorts.of(ports, address);
    String hostName = hostName(index);
    Optional<String> cgroupPath = spec.cgroupRoot().map(root -> root + "/" + hostName);
    Path directory = Files.createDirectories(files.root().resolve(hostName));
    ClusterNode node =
        new ClusterNode(hostName, address, nodePorts.web(), directory, createCgroup(cgroupPath));
    nodes.add(node);
    // The daemons use the hosts file; clients in this JVM also have to resolve ApplicationMasters.
    NetUtils.addStaticResolution(hostName, address);
    Path containers = directory.resolve("containers");
    Map<String, String> site = new LinkedHashMap<>(common);
    site.putAll(
        ClusterProperties.nodeManager(
            spec,
            new NodeDirectories(
                containers.resolve("local").toString(),
                containers.resolve("logs").toString(),
                directory.resolve("recovery").toString()),
            node,
            nodePorts));
    site.putAll(CharonConfiguration.node(cgroupPath));
    site.putAll(spec.properties());
    files.writeConfiguration(
        hostName, Map.of(YARN_SITE, site, "mapred-site.xml", ClusterProperties.shuffle(nodePorts)));
    if (spec.distributed()) {
      files.writeContainerConfiguration(
          hostName, site, ClusterProperties.distributedScheduling(node, nodePorts));
    }
    nodeManagers.add(launcher.launch(hostName, spec.nodeManagerClass(), 320));
  }

  /**
   * Gives the nodes the CPU weight of several processes instead of one. The daemons get the same
   * weight, because in production they have machines or at least sessions of their own: if the
   * kernel weighs sessions, they would otherwise share the weight of one process.
   */
  private void weighNodes() throws IOException {
    if (cgroups.isPresent() && spec.cgroupRoot().isPresent()) {
      cgroups.get().setCpuWeight(spec.cgroupRoot().get(), PROCESSES_PER_NODE * spec.nodes());
      cgroups
          .get()
          .setCpuWeight(
              ClusterLeftovers.daemons(spec.cgroupRoot().get()), PROCESSES_PER_NODE * spec.nodes());
    }
  }

  private Optional<NodeCgroup> createCgroup(Optional<String> path) throws IOException {
    if (path.isEmpty() || cgroups.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(cgroups.get().create(path.get(), spec.node().memoryBytes()));
  }

  private void writeHosts() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("127.0.0.1 localhost");
    lines.add("127.0.0.1 " + InetAddress.getLocalHost().getHostName());
    for (int index = 0; index < spec.nodes(); index++) {
      lines.add(nodeAddress(index) + " " + hostName(index));
    }
    files.writeHosts(lines);
  }

  private void awaitResourceManager(long end) throws IOException, InterruptedException {
    InetSocketAddress address =
        client.getSocketAddr(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.DEFAULT_RM_ADDRESS,
            YarnConfiguration.DEFAULT_RM_PORT);
    while (!accepts(address)) {
      checkTime(end, "the ResourceManager does not listen");
    }
  }

  private void checkTime(long end, String what) throws IOException, InterruptedException {
    requireAlive();
    if (System.nanoTime() > end) {
      throw new IOException("The cluster did not start: " + what + ". Log:\n" + lastLog());
    }
    Thread.sleep(200);
  }

  private synchronized String lastLog() {
    return nodeManagers.isEmpty()
        ? resourceManager.tail()
        : nodeManagers.get(nodeManagers.size() - 1).tail();
  }

  private static boolean accepts(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, 500);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Adds a step that runs after all daemons have exited and before their cgroups are removed. */
  void beforeRemoval(Runnable step) {
    beforeRemoval.add(step);
  }

  /** Ends and removes everything; a second call does nothing. */
  private synchronized void release() {
    if (released) {
      return;
    }
    released = true;
    List<Daemon> daemons = new ArrayList<>(nodeManagers);
    if (resourceManager != null) {
      daemons.add(resourceManager);
    }
    daemons.forEach(Daemon::terminate);
    long end = System.nanoTime() + TERMINATION_LIMIT.toNanos();
    for (Daemon daemon : daemons) {
      if (!daemon.awaitEnd(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        daemon.kill();
      }
    }
    beforeRemoval.forEach(Runnable::run);
    ClusterLeftovers.remove(files.root(), spec.cgroupRoot());
  }

  private static String hostName(int index) {
    return "node" + (index + 1);
  }

  private static String nodeAddress(int index) {
    return "127.0.0." + (index + 2);
  }
}
