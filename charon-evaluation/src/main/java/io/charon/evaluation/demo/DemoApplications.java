/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Submits and kills applications, and queries the ResourceManager for applications and nodes. */
public final class DemoApplications implements AutoCloseable {
  private static final Duration SETTLING_LIMIT = Duration.ofSeconds(15);

  private final YarnClient yarn;

  /** Connects to the ResourceManager with the configuration of a cluster's clients. */
  public DemoApplications(Configuration client) {
    this(YarnClient.createYarnClient());
    yarn.init(client);
    yarn.start();
  }

  DemoApplications(YarnClient yarn) {
    this.yarn = yarn;
  }

  /**
   * The state of one application.
   *
   * @param ended whether the application has ended; its ApplicationMaster stays up to 5 s longer
   *     (MapReduce waits for late clients), and the finish time is known only after that
   * @param startMillis when the application was submitted, by the ResourceManager's clock,
   *     milliseconds since 1970
   * @param finishMillis when the application ended, by the same clock; 0 if unknown
   * @param succeeded whether the final status is a success
   * @param containers number of containers that the application holds
   */
  public record State(
      boolean ended, long startMillis, long finishMillis, boolean succeeded, int containers) {
    /** Returns whether the application has ended and its finish time is known. */
    public boolean finished() {
      return finishMillis > 0;
    }

    /** Returns the time from the application's submission to its end, seconds. */
    public double seconds() {
      return (finishMillis - startMillis) / 1000.0;
    }
  }

  /**
   * One application as it is shown to users.
   *
   * @param state the YARN application state; once that is {@code FINISHED}, the final status
   * @param progress the progress that the ApplicationMaster reports, 0 to 1
   */
  public record Description(
      ApplicationId id, String name, String queue, String state, double progress) {
    private static Description of(ApplicationReport report) {
      return new Description(
          report.getApplicationId(),
          report.getName(),
          report.getQueue(),
          report.getYarnApplicationState() == YarnApplicationState.FINISHED
              ? report.getFinalApplicationStatus().toString()
              : report.getYarnApplicationState().toString(),
          report.getProgress());
    }
  }

  /**
   * Submits a MapReduce job.
   *
   * @return the application that runs the job
   * @throws IOException if the ResourceManager rejects the job, or Hadoop classes are missing
   */
  public static ApplicationId submit(Job job) throws IOException, InterruptedException {
    try {
      job.submit();
      return idOf(job.getJobID());
    } catch (ClassNotFoundException e) {
      throw new IOException("The installation is not complete", e);
    }
  }

  /** Returns the application that runs a job. */
  public static ApplicationId idOf(JobID job) {
    return TypeConverter.toYarn(job).getAppId();
  }

  /**
   * Returns the application that the ResourceManager may run for a job, even if its submission
   * failed; empty if the ResourceManager was not reached.
   */
  static Optional<ApplicationId> begunBy(Job job) {
    return Optional.ofNullable(job.getJobID()).map(DemoApplications::idOf);
  }

  /** Returns the state of one application. */
  public State state(ApplicationId id) throws IOException {
    try {
      return stateOf(yarn.getApplicationReport(id));
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not know " + id, e);
    }
  }

  /** Returns one application as it is shown to users. */
  public Description description(ApplicationId id) throws IOException {
    try {
      return Description.of(yarn.getApplicationReport(id));
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not know " + id, e);
    }
  }

  /**
   * Returns all applications of the cluster as they are shown to users, in the order of submission.
   */
  public List<Description> descriptions() throws IOException {
    try {
      return yarn.getApplications().stream()
          .map(Description::of)
          .sorted(Comparator.comparing(Description::id))
          .toList();
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not list its applications", e);
    }
  }

  /** Returns the states of all applications of the cluster. */
  public Map<ApplicationId, State> states() throws IOException {
    try {
      Map<ApplicationId, State> states = new HashMap<>();
      yarn.getApplications()
          .forEach(report -> states.put(report.getApplicationId(), stateOf(report)));
      return states;
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not list its applications", e);
    }
  }

  /**
   * Returns the same as {@link #states()}, but waits, at most 15 s, until the finish time of every
   * ended application is known.
   */
  public Map<ApplicationId, State> settledStates() throws IOException, InterruptedException {
    long end = System.nanoTime() + SETTLING_LIMIT.toNanos();
    Map<ApplicationId, State> states = states();
    while (states.values().stream().anyMatch(state -> state.ended() && !state.finished())
        && System.nanoTime() < end) {
      Thread.sleep(200);
      states = states();
    }
    return states;
  }

  /** Returns the memory reserved on each running node, MiB, by host name. */
  public Map<String, Long> reservedMb() throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .collect(
              Collectors.toMap(
                  report -> report.getNodeId().getHost(),
                  report -> report.getUsed().getMemorySize(),
                  Long::sum));
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not list its nodes", e);
    }
  }

  /** Returns the host name of the running node with the least reserved memory. */
  public String leastReservedNode() throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .min(Comparator.comparing(report -> report.getUsed().getMemorySize()))
          .orElseThrow(() -> new IOException("The ResourceManager has no node"))
          .getNodeId()
          .getHost();
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not list its nodes", e);
    }
  }

  /** Returns the web addresses of the running nodes, sorted. */
  List<String> nodes() throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .map(NodeReport::getHttpAddress)
          .sorted()
          .toList();
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not list its nodes", e);
    }
  }

  /** Kills an application. */
  void kill(ApplicationId id) throws IOException {
    try {
      yarn.killApplication(id);
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not end " + id, e);
    }
  }

  /**
   * Waits until an application holds a number of containers.
   *
   * @throws IOException if the application ends first, or the limit passes
   */
  public void awaitContainers(ApplicationId id, int count, Duration limit)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (state(id).containers() < count) {
      if (state(id).finished() || System.nanoTime() > end) {
        throw new IOException(id + " did not get its " + count + " containers within " + limit);
      }
      Thread.sleep(200);
    }
  }

  private static State stateOf(ApplicationReport report) {
    return new State(
        report.getYarnApplicationState() == YarnApplicationState.FINISHED
            || report.getFinishTime() > 0,
        report.getStartTime(),
        report.getFinishTime(),
        report.getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED,
        report.getApplicationResourceUsageReport().getNumUsedContainers());
  }

  @Override
  public void close() {
    yarn.stop();
  }
}
