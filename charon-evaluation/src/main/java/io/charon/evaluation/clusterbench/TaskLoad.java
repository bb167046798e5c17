/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.demo.ContainerTrace;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.evaluation.demo.PacedJob;
import io.charon.evaluation.demo.PacedJobs;
import io.charon.evaluation.machine.BackgroundThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Best-effort applications of paced tasks, which hold their memory and are checked. */
final class TaskLoad implements BestEffortLoad {
  private final PacedJobs source;
  private final ClusterClient cluster;
  private final DemoApplications applications;
  private final List<Duration> times;
  private final List<PacedJob> submitted = new ArrayList<>();
  private final List<String> notSubmitted = new ArrayList<>();
  private BackgroundThread thread;

  /**
   * Creates the load of one run.
   *
   * @param times when each job is submitted, after the start of the horizon
   */
  TaskLoad(
      PacedJobs source,
      ClusterClient cluster,
      DemoApplications applications,
      List<Duration> times) {
    this.source = source;
    this.cluster = cluster;
    this.applications = applications;
    this.times = List.copyOf(times);
  }

  @Override
  public int jobs() {
    return times.size();
  }

  @Override
  public void start(long startNanos) {
    thread = BackgroundThread.start("task-load", () -> submitAll(startNanos));
  }

  private void submitAll(long startNanos) {
    for (int job = 0; job < times.size(); job++) {
      try {
        long wait = startNanos + times.get(job).toNanos() - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
        accepted(
            source.submit(
                cluster.in(cluster.workDirectory().resolve("job-" + job)),
                applications.leastReservedNode(),
                ClusterPlan.TASKS_OF_A_JOB));
      } catch (InterruptedException runIsOver) {
        return;
      } catch (IOException | RuntimeException e) {
        failed("job " + job + ": " + e);
      }
    }
  }

  private synchronized void accepted(PacedJob job) {
    submitted.add(job);
  }

  private synchronized void failed(String problem) {
    notSubmitted.add(problem);
  }

  @Override
  public synchronized List<ApplicationId> submitted() {
    return submitted.stream().map(PacedJob::id).toList();
  }

  @Override
  public BestEffortOutcome outcome(long endMillis, List<ContainerTrace> containers)
      throws IOException, InterruptedException {
    double lostSeconds = BestEffortOutcome.lifetimeSeconds(lost(containers));
    return new BestEffortOutcome(
        BestEffortOutcome.completionSeconds(applications, submitted(), endMillis),
        endedTasks(endMillis),
        0,
        lostSeconds);
  }

  private synchronized int endedTasks(long endMillis) throws IOException {
    int tasks = 0;
    for (PacedJob job : submitted) {
      tasks += job.endedTasks(endMillis);
    }
    return tasks;
  }

  /** Returns the containers that ended without the result of their task. */
  static Stream<ContainerTrace> lost(List<ContainerTrace> containers) {
    Map<String, List<ContainerTrace>> byTask =
        containers.stream()
            .filter(container -> container.role() == ContainerTrace.Role.TASK)
            .collect(Collectors.groupingBy(ContainerTrace::attempt));
    return byTask.entrySet().stream()
        .flatMap(task -> lost(task.getValue(), Files.exists(Path.of(task.getKey()))));
  }

  /** A task starts again after its container has ended, so only the last one can have a result. */
  private static Stream<ContainerTrace> lost(List<ContainerTrace> ofOneTask, boolean hasResult) {
    return ofOneTask.stream()
        .sorted(Comparator.comparingDouble(ContainerTrace::startSeconds))
        .limit(ofOneTask.size() - (hasResult ? 1 : 0))
        .filter(ContainerTrace::ended);
  }

  @Override
  public synchronized List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>(notSubmitted);
    for (PacedJob job : submitted) {
      problems.addAll(job.wrongResults());
    }
    return problems;
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.close();
    }
  }
}
