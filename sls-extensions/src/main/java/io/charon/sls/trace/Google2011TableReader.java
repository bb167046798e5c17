/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.trace.CsvRow.BadField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Reads tables derived from Google's ClusterData2011_2: one row per task ({@code tasks_*.csv.gz})
 * and one per job with its name ({@code jobs_*.csv.gz}), both sorted by submission. The rules are
 * those for the raw files. The tables do not describe the machines, so the cell is the published
 * one.
 */
public final class Google2011TableReader implements TraceReader {
  private static final List<String> TASK_COLUMNS =
      List.of(
          "job_id",
          "task_index",
          "class",
          "priority",
          "sched_class",
          "cpu_req",
          "mem_req",
          "submit_s",
          "first_sched_s",
          "last_sched_s",
          "end_s",
          "end_type",
          "n_sched",
          "n_evict",
          "n_fail",
          "machine_id",
          "job_end_s",
          "job_end_type");
  private static final List<String> JOB_COLUMNS =
      List.of(
          "job_id", "sched_class", "logical_name_id", "submit_s", "sched_s", "end_s", "end_type");
  private static final int TASK_JOB = 0;
  private static final int TASK_INDEX = 1;
  private static final int TASK_PRIORITY = 3;
  private static final int TASK_CPU = 5;
  private static final int TASK_MEMORY = 6;
  private static final int TASK_SUBMIT = 7;
  private static final int TASK_SCHEDULE = 9;
  private static final int TASK_END = 10;
  private static final int TASK_JOB_END = 16;
  private static final int JOB_ID = 0;
  private static final int JOB_CLASS = 1;
  private static final int JOB_NAME = 2;
  private static final int JOB_SUBMIT = 3;
  private static final int JOB_END = 5;

  /** The trace begins 600 s after its zero; earlier rows describe the initial state. */
  private static final double START_SECONDS = 600;

  private record Task(
      double start, Optional<Double> end, int priority, double cpu, double memory) {}

  private static final class OpenJob {
    private final String name;
    private final double submit;
    private double end = Double.POSITIVE_INFINITY;
    private final Map<Long, Task> tasks = new HashMap<>();
    private final Set<Long> seen = new HashSet<>();
    private long neverRan;

    OpenJob(String name, double submit) {
      this.name = name;
      this.submit = submit;
    }
  }

  private record Ending(double time, long job) {}

  private record Named(double end, String name) {}

  private final Path directory;
  private final TraceNodeSize node;
  private final BadRows badRows;
  private final double cellMemory;
  private final CsvFiles taskFiles;
  private final CsvFiles jobFiles;
  private final Map<Long, OpenJob> open = new LinkedHashMap<>();
  private final PriorityQueue<Ending> ending =
      new PriorityQueue<>(Comparator.comparingDouble(Ending::time).thenComparing(Ending::job));
  private final ArrayDeque<TraceJob> done = new ArrayDeque<>();
  private final EndedJobs ended = new EndedJobs();
  private final SkippedCounts leftOut = new SkippedCounts();
  private final Map<Long, Named> names = new LinkedHashMap<>();
  private double namesUntil = -1;
  private double lastSubmit;
  private double lastTime = START_SECONDS;
  private boolean tasksEnded;

  /**
   * Opens the tables.
   *
   * @param directory folder with tasks_*.csv.gz and jobs_*.csv.gz
   * @param node the simulated node that stands for the largest machine
   * @param cellMemory memory of all machines of the cell together, in units of the largest
   *     machine's
   * @throws TraceException if a table is missing
   */
  public Google2011TableReader(
      Path directory, TraceNodeSize node, double cellMemory, BadRows badRows)
      throws TraceException {
    this.directory = directory;
    this.node = node;
    this.cellMemory = cellMemory;
    this.badRows = badRows;
    taskFiles = new CsvFiles(TraceParts.matching(directory, "tasks_*.csv.gz"), TASK_COLUMNS);
    jobFiles = new CsvFiles(TraceParts.matching(directory, "jobs_*.csv.gz"), JOB_COLUMNS);
  }

  @Override
  public Optional<TraceJob> next() throws IOException {
    while (done.isEmpty()) {
      if (tasksEnded) {
        return JobAssembler.nextOf(open, this::assemble);
      }
      Optional<CsvRow> row = taskFiles.next();
      if (row.isEmpty()) {
        if (taskFiles.rows() == 0) {
          throw new TraceException(directory + ": the table of tasks is empty");
        }
        tasksEnded = true;
      } else {
        try {
          onTask(row.get());
        } catch (BadField e) {
          badRows.add(row.get().place(), e.getMessage());
        }
      }
    }
    return Optional.of(done.remove());
  }

  @Override
  public Optional<TracedCell> cell() {
    return Optional.of(
        new TracedCell(cellMemory, Math.max(1, Math.round((lastTime - START_SECONDS) * 1000))));
  }

  @Override
  public String provenance() {
    return "Google cluster-usage traces 2011 (ClusterData2011_2, CC-BY 4.0), derived tables";
  }

  @Override
  public long rows() {
    return taskFiles.rows();
  }

  @Override
  public Map<String, Long> leftOut() {
    return leftOut.counts();
  }

  @Override
  public void close() throws IOException {
    try (jobFiles;
        taskFiles) {
      open.clear();
    }
  }

  private void onTask(CsvRow row) throws BadField, TraceException {
    long id = row.integer(TASK_JOB, 0, Long.MAX_VALUE);
    long index = row.integer(TASK_INDEX, 0, Integer.MAX_VALUE);
    int priority = (int) row.integer(TASK_PRIORITY, 0, 11);
    double submit = row.number(TASK_SUBMIT).orElse(0);
    double cpu = row.number(TASK_CPU).orElse(0);
    double memory =
        row.number(TASK_MEMORY)
            .orElseThrow(
                () -> new BadField("task %d of job %d has no memory request".formatted(index, id)));
    Optional<Double> start = seconds(row, TASK_SCHEDULE);
    Optional<Double> end = seconds(row, TASK_END);
    Optional<Double> jobEnd = seconds(row, TASK_JOB_END);
    if (submit < lastSubmit) {
      throw new BadField("time goes back from " + lastSubmit + " to " + submit + " s");
    }
    if (cpu > 1 || memory > 1) {
      throw new BadField(
          "task %d of job %d asks for %s processors and %s memory of the largest machine, which has 1"
              .formatted(index, id, cpu, memory));
    }
    if (start.isPresent() && end.isPresent() && end.get() < start.get()) {
      throw new BadField("the task ends before it starts");
    }
    if (Math.max(submit, end.or(() -> start).orElse(0.0)) * 1000 > WorkloadNumbers.LONGEST_MILLIS) {
      throw new BadField("a time beyond " + WorkloadNumbers.LONGEST_MILLIS + " milliseconds");
    }
    lastSubmit = submit;
    lastTime = Math.max(lastTime, Math.max(submit, end.or(() -> start).orElse(submit)));
    closeUntil(submit);
    OpenJob job = open.get(id);
    if (job == null) {
      if (ended.contains(id)) {
        throw new BadField("a task of job " + id + ", which ended");
      }
      job = new OpenJob(nameOf(id, submit), submit);
      open.put(id, job);
      if (jobEnd.isPresent()) {
        job.end = jobEnd.get();
        ending.add(new Ending(job.end, id));
      }
    }
    if (!job.seen.add(index)) {
      throw new BadField("task " + index + " of job " + id + " appears a second time");
    }
    if (start.isEmpty()) {
      job.neverRan++;
    } else {
      job.tasks.put(index, new Task(start.get(), end, priority, cpu, memory));
    }
  }

  private static Optional<Double> seconds(CsvRow row, int column) throws BadField {
    return row.optionalText(column).isEmpty()
        ? Optional.empty()
        : Optional.of(row.number(column).orElseThrow());
  }

  private void closeUntil(double time) {
    while (!ending.isEmpty() && ending.peek().time() < time) {
      Ending end = ending.remove();
      ended.add(end.job(), Math.round(end.time() * 1e6));
      assemble(end.job(), open.remove(end.job())).ifPresent(done::add);
    }
  }

  /** Returns the name of a job; its row in the table of jobs never comes after its submission. */
  private String nameOf(long id, double submit) throws TraceException {
    while (namesUntil <= submit && !names.containsKey(id)) {
      Optional<CsvRow> row = jobFiles.next();
      if (row.isEmpty()) {
        namesUntil = Double.POSITIVE_INFINITY;
        break;
      }
      try {
        long job = row.get().integer(JOB_ID, 0, Long.MAX_VALUE);
        double time = row.get().number(JOB_SUBMIT).orElse(0);
        String name = Google2011Names.job(row.get().text(JOB_NAME), row.get().text(JOB_CLASS));
        double end = row.get().number(JOB_END).orElse(Double.POSITIVE_INFINITY);
        namesUntil = Math.max(namesUntil, time);
        names.put(job, new Named(end, name));
      } catch (BadField e) {
        badRows.add(row.get().place(), e.getMessage());
      }
    }
    Named named = names.remove(id);
    names.values().removeIf(other -> other.end() < submit);
    return named == null ? id + "/0" : named.name();
  }

  private Optional<TraceJob> assemble(long id, OpenJob job) {
    JobAssembler assembler = new JobAssembler(id, leftOut);
    leftOut.add("tasks that never ran", job.neverRan);
    int priority = 0;
    for (Map.Entry<Long, Task> entry : job.tasks.entrySet()) {
      Task task = entry.getValue();
      double until = task.end().orElse(Math.min(job.end, lastTime));
      priority = task.priority();
      assembler.add(
          entry.getKey(),
          Math.round(task.memory() * node.memoryBytes()),
          task.cpu() * node.cores(),
          Math.round(Math.max(0, until - Math.max(START_SECONDS, task.start())) * 1000));
    }
    return assembler.job(
        job.name,
        "unknown",
        priority,
        job.submit < START_SECONDS,
        Math.round(Math.max(0, job.submit - START_SECONDS) * 1000));
  }
}
