/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.JobOutcome.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** All best-effort work of one run: the MapReduce jobs and the application of the paced tasks. */
final class BestEffortWork implements AutoCloseable {
  private final DemoInput input;
  private final WorkloadPlan plan;
  private final DemoWorkload workload;
  private final DemoApplications applications;
  private final TaskApplication taskApplication;
  private final List<TaskOrder> tasks;
  private final BestEffortStream stream;
  private final List<String> problems = new ArrayList<>();
  private Optional<ApplicationId> taskMaster = Optional.empty();

  /**
   * Creates the best-effort work of one run.
   *
   * @param any whether the run has best-effort work; if not, nothing is ever submitted
   */
  BestEffortWork(
      DemoInput input,
      WorkloadPlan plan,
      DemoWorkload workload,
      DemoApplications applications,
      TaskApplication taskApplication,
      boolean any) {
    this.input = input;
    this.plan = plan;
    this.workload = workload;
    this.applications = applications;
    this.taskApplication = taskApplication;
    this.tasks = any ? input.tasks(plan) : List.of();
    this.stream = new BestEffortStream(workload::bestEffort, any ? input.jobs(plan) : List.of());
  }

  /** Starts the work; {@code startNanos} is the start of the window by {@link System#nanoTime}. */
  void start(long startNanos) throws IOException {
    if (!tasks.isEmpty()) {
      // The ApplicationMaster goes to the node with the least reserved memory, so that every node
      // has room for equally many tasks.
      taskMaster = Optional.of(taskApplication.submit(applications.leastReservedNode(), tasks));
    }
    stream.start(startNanos);
  }

  /**
   * Kills the applications that still run, so that production is alone again. Returns before all
   * their containers have ended.
   */
  void kill() throws IOException, InterruptedException {
    stream.awaitSubmissions();
    Map<ApplicationId, DemoApplications.State> states = applications.states();
    for (ApplicationId id : submitted().keySet()) {
      if (!states.get(id).ended()) {
        applications.kill(id);
      }
    }
  }

  /** Returns the submitted applications with their names. */
  Map<ApplicationId, String> submitted() {
    Map<ApplicationId, String> submitted = new TreeMap<>();
    taskMaster.ifPresent(id -> submitted.put(id, TaskApplication.NAME));
    stream.submitted().forEach((order, id) -> submitted.put(id, order.kind().label()));
    return submitted;
  }

  /**
   * Returns how many tasks have ended so far: those of MapReduce jobs that succeeded, and the paced
   * tasks that have written a result.
   */
  int endedTasks() throws IOException {
    Map<ApplicationId, DemoApplications.State> states = applications.states();
    long jobs =
        stream.submitted().values().stream()
            .map(states::get)
            .filter(state -> state != null && state.ended() && state.succeeded())
            .count();
    int ended = Math.toIntExact(jobs) * (WorkloadPlan.MAPS + 1);
    for (TaskOrder task : tasks) {
      ended += taskApplication.hasEnded(task) ? 1 : 0;
    }
    return ended;
  }

  /** Returns why work could not be submitted; empty if all could. */
  List<String> failures() {
    return stream.failures();
  }

  /**
   * Returns the errors in the results that {@link #outcomes} has checked; empty if all are right.
   */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Checks every result and returns the outcome of each job within the window. */
  List<JobOutcome> outcomes(long startMillis) throws IOException {
    List<JobOutcome> outcomes = new ArrayList<>();
    Map<ApplicationId, DemoApplications.State> states = applications.states();
    for (Map.Entry<BestEffortOrder, ApplicationId> job : stream.submitted().entrySet()) {
      outcomes.add(outcome(job.getKey(), states.get(job.getValue()), startMillis));
    }
    Map<Integer, List<TaskOrder>> jobs =
        tasks.stream()
            .collect(Collectors.groupingBy(TaskOrder::job, TreeMap::new, Collectors.toList()));
    for (List<TaskOrder> job : jobs.values()) {
      outcomes.add(outcome(job, startMillis));
    }
    return outcomes;
  }

  private JobOutcome outcome(BestEffortOrder order, DemoApplications.State state, long startMillis)
      throws IOException {
    long endMillis = startMillis + plan.times().window().toMillis();
    if (!state.finished() || state.finishMillis() > endMillis) {
      return notCompleted(JobOutcome.State.UNFINISHED, Work.NONE);
    }
    if (!state.succeeded()) {
      return notCompleted(JobOutcome.State.FAILED, Work.NONE);
    }
    Optional<String> problem = input.jobs().problem(order, workload.bestEffortOutput(order));
    problem.ifPresent(problems::add);
    return new JobOutcome(
        JobOutcome.State.COMPLETED,
        state.seconds(),
        problem.isEmpty() ? new Work(order.input().size() + 1, sizeOf(order.input())) : Work.NONE);
  }

  private static long sizeOf(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private JobOutcome outcome(List<TaskOrder> job, long startMillis) throws IOException {
    long windowMillis = plan.times().window().toMillis();
    Work work = Work.NONE;
    long lastMillis = 0;
    for (TaskOrder task : job) {
      Optional<TaskResult> result = taskApplication.result(task);
      if (result.isPresent() && result.get().endMillis() - startMillis <= windowMillis) {
        work = work.plus(checked(task, result.get()));
        lastMillis = Math.max(lastMillis, result.get().endMillis() - startMillis);
      }
    }
    return work.tasks() < job.size()
        ? notCompleted(JobOutcome.State.UNFINISHED, work)
        : new JobOutcome(
            JobOutcome.State.COMPLETED, (lastMillis - job.get(0).at().toMillis()) / 1000.0, work);
  }

  private JobOutcome notCompleted(JobOutcome.State state, Work work) {
    return new JobOutcome(state, plan.times().window().toMillis() / 1000.0, work);
  }

  private Work checked(TaskOrder task, TaskResult result) throws IOException {
    Optional<String> problem = input.tasks().problem(task, Optional.of(result.found()));
    problem.ifPresent(problems::add);
    return problem.isEmpty() ? new Work(1, result.found().bytes()) : Work.NONE;
  }

  @Override
  public void close() {
    stream.close();
  }
}
