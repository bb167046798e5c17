/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An ApplicationMaster that runs programs: one container for each line of a file, started at its
 * time and repeated until it succeeds. It requests ordinary containers and knows nothing of Charon,
 * like every application whose queue makes it best-effort.
 */
public final class TaskMaster {
  private static final long HEARTBEAT_MILLIS = 250;
  private static final Priority PRIORITY = Priority.newInstance(20);

  /**
   * One program.
   *
   * @param atMillis when the program is due, milliseconds after the start of this ApplicationMaster
   * @param command a shell command line
   */
  private record Task(long atMillis, String command) {}

  private final Deque<Task> notDue = new ArrayDeque<>();
  private final Deque<Task> requested = new ArrayDeque<>();
  private final Map<ContainerId, Task> running = new HashMap<>();
  private final ContainerRequest request;
  private final AMRMClient<ContainerRequest> resources;
  private final NMClient nodes;

  private TaskMaster(
      List<Task> tasks, int taskMb, AMRMClient<ContainerRequest> resources, NMClient nodes) {
    notDue.addAll(tasks);
    this.request = new ContainerRequest(Resource.newInstance(taskMb, 1), null, null, PRIORITY);
    this.resources = resources;
    this.nodes = nodes;
  }

  /**
   * Returns the line of a program in the file.
   *
   * @param atMillis when it is due, milliseconds after the start of the ApplicationMaster
   * @param command a shell command line
   */
  public static String line(long atMillis, String command) {
    return atMillis + " " + command;
  }

  /**
   * Runs all tasks.
   *
   * @param arguments memory that each task requests, MiB, and the file of the tasks
   * @throws IOException if the file cannot be read, or the ResourceManager does not answer
   */
  public static void main(String[] arguments)
      throws IOException, YarnException, InterruptedException {
    List<Task> tasks =
        Files.readAllLines(Path.of(arguments[1])).stream()
            .map(line -> line.split(" ", 2))
            .map(fields -> new Task(Long.parseLong(fields[0]), fields[1]))
            .toList();
    YarnConfiguration configuration = new YarnConfiguration();
    try (AMRMClient<ContainerRequest> resources = AMRMClient.createAMRMClient();
        NMClient nodes = NMClient.createNMClient()) {
      resources.init(configuration);
      resources.start();
      nodes.init(configuration);
      nodes.start();
      new TaskMaster(tasks, Integer.parseInt(arguments[0]), resources, nodes).run();
    }
  }

  private void run() throws IOException, YarnException, InterruptedException {
    resources.registerApplicationMaster("", 0, "");
    int all = notDue.size();
    long start = System.nanoTime();
    while (!(notDue.isEmpty() && requested.isEmpty() && running.isEmpty())) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      while (!notDue.isEmpty() && notDue.getFirst().atMillis() <= millis) {
        requested.addLast(notDue.removeFirst());
        resources.addContainerRequest(request);
      }
      float done = all - notDue.size() - requested.size() - running.size();
      AllocateResponse response = resources.allocate(done / all);
      response.getCompletedContainersStatuses().forEach(this::ended);
      response.getAllocatedContainers().forEach(this::start);
      Thread.sleep(HEARTBEAT_MILLIS);
    }
    resources.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
  }

  private void start(Container container) {
    if (requested.isEmpty()) {
      resources.releaseAssignedContainer(container.getId());
      return;
    }
    resources.removeContainerRequest(request);
    Task task = requested.removeFirst();
    running.put(container.getId(), task);
    try {
      nodes.startContainer(
          container,
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of("exec " + task.command()), null, null, null));
    } catch (IOException | YarnException e) {
      System.err.println(container.getId() + " cannot be started: " + e);
      resources.releaseAssignedContainer(container.getId());
      requeue(container.getId());
    }
  }

  private void ended(ContainerStatus status) {
    if (status.getExitStatus() == 0) {
      running.remove(status.getContainerId());
    } else {
      System.err.println(status);
      requeue(status.getContainerId());
    }
  }

  /** Requeues a task that was killed, rejected or failed, ahead of all waiting tasks. */
  private void requeue(ContainerId container) {
    Task task = running.remove(container);
    if (task != null) {
      requested.addFirst(task);
      resources.addContainerRequest(request);
    }
  }
}
