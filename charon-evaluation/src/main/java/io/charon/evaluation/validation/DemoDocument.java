/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The parts of the JSON of {@code charon demo --calibrate} that a simulation needs. Times are
 * seconds from the start of the window; earlier times are negative.
 *
 * @param workload sizes and limits
 * @param windowSeconds time for which best-effort jobs were submitted and counted
 * @param modes measurements by mode
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record DemoDocument(Workload workload, double windowSeconds, Map<String, Mode> modes) {
  /** The mode that calibrates: production only, then one best-effort job of each kind. */
  public static final String ALONE = "alone";

  private static final String MASTER = "MASTER";
  private static final double LONGEST_WINDOW = 3600;

  /** Sizes and limits of the demo's workload. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Workload(
      int nodes,
      int nodeMemoryMb,
      int productionTaskMb,
      int bestEffortTaskMb,
      int bestEffortMasterMb,
      int parallelBestEffortJobs,
      int queueLimit,
      boolean outgrowing) {}

  /**
   * Measurements of one mode.
   *
   * @param bestEffort counts and times of the stream of best-effort jobs
   * @param productionSeconds median of the runs
   * @param memoryUtilization median of the runs, 0 to 1
   * @param containers counts of the nodes; null if the nodes did not report them
   * @param killer the killer that reclaimed memory
   * @param runs observations of each run
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Mode(
      BestEffort bestEffort,
      double productionSeconds,
      Double memoryUtilization,
      Containers containers,
      String killer,
      List<Run> runs) {}

  /** Jobs of the stream. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record BestEffort(double completed, Double p50Seconds) {}

  /** Containers on the nodes; null where the nodes did not report them. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Containers(Double launched, Double killed, Double preempted) {}

  /** Observations of one run. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Run(
      Job production,
      List<Job> jobs,
      List<Job> calibration,
      Machine machine,
      List<Container> containers) {
    /** Returns the containers of a job except ApplicationMasters, in the order of their start. */
    List<Container> tasks(Job job) {
      return containers.stream()
          .filter(container -> container.application().equals(job.application()))
          .filter(container -> !container.role().equals(MASTER))
          .sorted((a, b) -> Double.compare(a.startSeconds(), b.startSeconds()))
          .toList();
    }

    /** Returns the ApplicationMaster of a job. */
    Container master(Job job) throws IOException {
      return containers.stream()
          .filter(container -> container.application().equals(job.application()))
          .filter(container -> container.role().equals(MASTER))
          .findFirst()
          .orElseThrow(
              () -> new IOException("no ApplicationMaster of " + job.kind() + " was observed"));
    }
  }

  /** A job; {@code finishedSeconds} is null if it failed or did not end. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Job(
      String kind, String application, double submittedSeconds, Double finishedSeconds) {
    /** Returns the time from its submission to its end. */
    double seconds() {
      return finishedSeconds - submittedSeconds;
    }
  }

  /** Processor time within the window, summed over the processors. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Machine(
      int processors,
      double seconds,
      double busySeconds,
      double stolenSeconds,
      double containersSeconds) {}

  /**
   * A container.
   *
   * @param ended whether its end was observed; if not, it continued after {@code endSeconds}
   * @param points samples of time in seconds, memory in MiB, and processor seconds until then
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Container(
      String application,
      String role,
      double startSeconds,
      double endSeconds,
      boolean ended,
      List<double[]> points) {
    double seconds() {
      return endSeconds - startSeconds;
    }

    /**
     * Returns the processor time used until an instant, interpolated linearly between two samples.
     */
    double processorSecondsUntil(double atSeconds) {
      double beforeSeconds = startSeconds;
      double before = 0;
      for (double[] point : points) {
        if (point[0] > atSeconds) {
          double share = (atSeconds - beforeSeconds) / (point[0] - beforeSeconds);
          return before + Math.max(0, share) * (point[2] - before);
        }
        beforeSeconds = point[0];
        before = point[2];
      }
      return before;
    }

    double processorSeconds() {
      return points.get(points.size() - 1)[2];
    }

    boolean isReduce() {
      return role.equals("REDUCE");
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if the file cannot be read, is not a result of the demo, or lacks an input
   *     of the simulation; the message names the file and says what to do
   */
  public static DemoDocument read(Path file) throws IOException {
    DemoDocument document;
    try {
      document = new ObjectMapper().readValue(Files.readString(file), DemoDocument.class);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such file", e);
    } catch (JsonProcessingException e) {
      throw new IOException(
          file + ": not a result of charon demo --json: " + e.getOriginalMessage(), e);
    }
    document.check(file);
    return document;
  }

  /** Returns the run that calibrates. */
  Run calibrating() {
    return modes.get(ALONE).runs().get(0);
  }

  private void check(Path file) throws IOException {
    if (modes == null || modes.isEmpty()) {
      throw new IOException(file + ": not a result of charon demo --json: it has no modes");
    }
    boolean old =
        workload == null || modes.values().stream().anyMatch(mode -> isEmpty(mode.runs()));
    if (old) {
      throw new IOException(
          file
              + ": has no \"workload\" and \"runs\", so it was made by an older charon demo; make "
              + "a new one with charon demo --workload cpu --calibrate --json FILE");
    }
    if (!modes.containsKey(ALONE) || isEmpty(calibrating().calibration())) {
      throw new IOException(
          file
              + ": has no calibration; make a new one with charon demo --workload cpu --calibrate --json FILE, mode alone"
              + " included");
    }
    if (workload.outgrowing()) {
      throw new IOException(
          file + ": was made with --outgrow, whose job is not simulated; run the demo without it");
    }
    if (!(windowSeconds > 0 && windowSeconds <= LONGEST_WINDOW)) {
      throw new IOException(
          file + ": windowSeconds must be above 0 and at most 3600, was " + windowSeconds);
    }
    for (Map.Entry<String, Mode> mode : modes.entrySet()) {
      for (Run run : mode.getValue().runs()) {
        checkRun(file, mode.getKey(), run);
      }
    }
  }

  private static void checkRun(Path file, String mode, Run run) throws IOException {
    boolean whole =
        run.production() != null
            && run.production().finishedSeconds() != null
            && run.jobs() != null
            && run.containers() != null
            && run.machine() != null
            && run.containers().stream().allMatch(DemoDocument::isWhole);
    if (!whole) {
      throw new IOException(
          file
              + ": a run of mode "
              + mode
              + " lacks production's end, its jobs, its containers or the machine's load; run the demo again");
    }
  }

  private static boolean isWhole(Container container) {
    return container.application() != null
        && container.role() != null
        && !isEmpty(container.points())
        && container.points().stream()
            .allMatch(point -> Objects.requireNonNull(point, "point").length == 3);
  }

  private static boolean isEmpty(List<?> list) {
    return list == null || list.isEmpty();
  }
}
