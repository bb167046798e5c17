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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the raw files of Google's ClusterData2011_2 (format: "Google cluster-usage traces: format +
 * schema", 2014). Merges job events and task events by time. It keeps one row of each in memory,
 * and the tasks of jobs that have not ended.
 *
 * <p>A task lasts from its last SCHEDULE row to its end and has the requests of that row; a task
 * that still runs when the trace ends lasts until then. The window may begin later than the trace:
 * jobs that existed before it are submitted at its start, with what is left of their tasks. The
 * machines are those at the start of the trace.
 */
public final class Google2011Reader implements TraceReader {
  private static final int TIME = 0;
  private static final int JOB = 2;
  private static final int JOB_EVENT = 3;
  private static final int JOB_USER = 4;
  private static final int JOB_CLASS = 5;
  private static final int JOB_LOGICAL_NAME = 7;
  private static final int TASK_INDEX = 3;
  private static final int TASK_EVENT = 5;
  private static final int PRIORITY = 8;
  private static final int CPU = 9;
  private static final int MEMORY = 10;
  private static final int MACHINE_EVENT = 2;
  private static final int MACHINE_MEMORY = 5;

  private static final int SUBMIT = 0;
  private static final int SCHEDULE = 1;
  private static final int EVICT = 2;
  private static final int LOST = 6;
  private static final int UPDATE_RUNNING = 8;

  /** The trace begins 600 s after its zero; earlier rows describe the initial state. */
  private static final long START_MICROS = 600_000_000L;

  /**
   * Times above this are after the end of the trace: 2^63 - 1, as the format says, and anything
   * else beyond ten years.
   */
  private static final long LATEST_MICROS = 10L * 365 * 86_400 * 1_000_000;

  private static final long HOUR_MICROS = 3_600_000_000L;

  /** Time for which task rows may follow the row that ends their job. */
  private static final long CLOSING_MICROS = 1_000_000;

  private static final class OpenTask {
    private long start = -1;
    private long end = -1;
    private int priority;
    private OptionalDouble cpu = OptionalDouble.empty();
    private OptionalDouble memory = OptionalDouble.empty();
  }

  private static final class OpenJob {
    private final String name;
    private final String user;
    private final long submit;
    private final Map<Integer, OpenTask> tasks = new HashMap<>();

    OpenJob(String name, String user, long submit) {
      this.name = name;
      this.user = user;
      this.submit = submit;
    }
  }

  private record Event(long time, CsvRow row) {}

  private record Ending(long time, long job) {}

  /** One table: its next row and the time of its last one. */
  private final class Events {
    private final CsvFiles files;
    private long last;
    private Optional<Event> head;

    Events(CsvFiles files) throws IOException {
      this.files = files;
      advance();
    }

    final void advance() throws IOException {
      while (true) {
        Optional<CsvRow> row = files.next();
        if (row.isEmpty()) {
          head = Optional.empty();
          return;
        }
        try {
          long time = row.get().integer(TIME, 0, Long.MAX_VALUE);
          if (time < last) {
            throw new BadField("time goes back from " + last + " to " + time + " microseconds");
          }
          if (time <= LATEST_MICROS) {
            last = time;
            head = Optional.of(new Event(time, row.get()));
            return;
          }
        } catch (BadField e) {
          badRows.add(row.get().place(), e.getMessage());
        }
      }
    }
  }

  private final Path directory;
  private final TraceNodeSize node;
  private final BadRows badRows;
  private final int beginHours;
  private final double cellMemory;
  private final CsvFiles jobFiles;
  private final CsvFiles taskFiles;
  private final Events jobEvents;
  private final Events taskEvents;
  private final Map<Long, OpenJob> open = new LinkedHashMap<>();
  private final ArrayDeque<Ending> ending = new ArrayDeque<>();
  private final EndedJobs ended = new EndedJobs();
  private final SkippedCounts leftOut = new SkippedCounts();
  private final long start;

  /**
   * Opens a whole trace.
   *
   * @param directory folder with job_events, task_events and machine_events
   * @param node the simulated node that stands for the largest machine
   * @throws TraceException if files are missing, broken or empty
   */
  public Google2011Reader(Path directory, TraceNodeSize node, BadRows badRows) throws IOException {
    this(directory, node, badRows, 0);
  }

  /**
   * Opens a trace.
   *
   * @param directory folder with job_events, task_events and machine_events
   * @param node the simulated node that stands for the largest machine
   * @param beginHours hours of the trace before the window, 0 or more
   * @throws TraceException if files are missing, broken or empty
   */
  public Google2011Reader(Path directory, TraceNodeSize node, BadRows badRows, int beginHours)
      throws IOException {
    this.directory = directory;
    this.beginHours = beginHours;
    this.node = node;
    this.badRows = badRows;
    List<Path> jobs = TraceParts.numbered(directory.resolve("job_events"));
    List<Path> tasks = TraceParts.numbered(directory.resolve("task_events"));
    List<Path> machines = TraceParts.numbered(directory.resolve("machine_events"));
    jobFiles = new CsvFiles(jobs, List.of());
    taskFiles = new CsvFiles(tasks, List.of());
    try {
      cellMemory = memoryAtStart(machines);
      jobEvents = new Events(jobFiles);
      taskEvents = new Events(taskFiles);
      start =
          Math.max(
              START_MICROS + beginHours * HOUR_MICROS, taskEvents.head.map(Event::time).orElse(0L));
      if (taskEvents.head.isEmpty()) {
        throw new TraceException(directory.resolve("task_events") + ": no usable row");
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public Optional<TraceJob> next() throws IOException {
    while (true) {
      Optional<Event> task = taskEvents.head;
      if (task.isEmpty()) {
        return nextOpenJob();
      }
      Optional<Event> job = jobEvents.head.filter(event -> event.time() <= task.get().time());
      Event event = job.orElse(task.get());
      if (!ending.isEmpty() && ending.peek().time() + CLOSING_MICROS < event.time()) {
        Ending end = ending.remove();
        OpenJob closed = open.remove(end.job());
        ended.add(end.job(), end.time());
        Optional<TraceJob> done = assemble(end.job(), closed, end.time());
        if (done.isPresent()) {
          return done;
        }
        continue;
      }
      try {
        if (job.isPresent()) {
          onJob(event);
        } else {
          onTask(event);
        }
      } catch (BadField e) {
        badRows.add(event.row().place(), e.getMessage());
      }
      (job.isPresent() ? jobEvents : taskEvents).advance();
    }
  }

  @Override
  public Optional<TracedCell> cell() {
    return Optional.of(new TracedCell(cellMemory, Math.max(1, (taskEvents.last - start) / 1000)));
  }

  @Override
  public String provenance() {
    return "Google cluster-usage traces 2011 (ClusterData2011_2, CC-BY 4.0), raw files, first part "
        + directory.getFileName()
        + (beginHours > 0 ? ", from hour " + beginHours : "");
  }

  @Override
  public long rows() {
    return jobFiles.rows() + taskFiles.rows();
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

  private double memoryAtStart(List<Path> files) throws IOException {
    double sum = 0;
    try (CsvFiles rows = new CsvFiles(files, List.of())) {
      for (Optional<CsvRow> row = rows.next(); row.isPresent(); row = rows.next()) {
        try {
          long time = row.get().integer(TIME, 0, Long.MAX_VALUE);
          long event = row.get().integer(MACHINE_EVENT, 0, 2);
          if (time <= START_MICROS && event == 0) {
            double memory = row.get().number(MACHINE_MEMORY).orElse(0);
            if (memory > 1) {
              throw new BadField(
                  "a machine has %s of the memory of the largest, which has 1".formatted(memory));
            }
            sum += memory;
          }
        } catch (BadField e) {
          badRows.add(row.get().place(), e.getMessage());
        }
      }
    }
    if (sum <= 0) {
      throw new TraceException(files.get(0) + ": no machine at the start of the trace");
    }
    return sum;
  }

  private void onJob(Event event) throws BadField {
    CsvRow row = event.row();
    long id = row.integer(JOB, 0, Long.MAX_VALUE);
    int type = (int) row.integer(JOB_EVENT, SUBMIT, UPDATE_RUNNING);
    if (type == SUBMIT) {
      if (open.containsKey(id) || ended.contains(id)) {
        throw new BadField("job " + id + " is submitted a second time");
      }
      String schedulingClass = row.optionalText(JOB_CLASS).orElse("0");
      String name =
          Google2011Names.job(
              row.optionalText(JOB_LOGICAL_NAME).orElse(Long.toString(id)), schedulingClass);
      String user = Google2011Names.shorten(row.optionalText(JOB_USER).orElse("unknown"));
      open.put(id, new OpenJob(name, user, event.time()));
    } else if (type > EVICT && type <= LOST) {
      if (!open.containsKey(id)) {
        throw new BadField("job " + id + " ends, but was not submitted");
      }
      if (ending.stream().noneMatch(end -> end.job() == id)) {
        ending.add(new Ending(event.time(), id));
      }
    }
  }

  private void onTask(Event event) throws BadField {
    CsvRow row = event.row();
    long id = row.integer(JOB, 0, Long.MAX_VALUE);
    int index = (int) row.integer(TASK_INDEX, 0, Integer.MAX_VALUE);
    int type = (int) row.integer(TASK_EVENT, SUBMIT, UPDATE_RUNNING);
    OpenJob job = open.get(id);
    if (job == null) {
      throw new BadField(
          "a task of job "
              + id
              + (ended.contains(id) ? ", which ended" : ", which no row submits"));
    }
    if (type == SCHEDULE) {
      OptionalDouble cpu = row.number(CPU);
      OptionalDouble memory = row.number(MEMORY);
      int priority = (int) row.integer(PRIORITY, 0, 11);
      if (cpu.orElse(0) > 1 || memory.orElse(0) > 1) {
        throw new BadField(
            "task %d of job %d asks for %s processors and %s memory of the largest machine, which has 1"
                .formatted(index, id, cpu.orElse(0), memory.orElse(0)));
      }
      OpenTask task = job.tasks.computeIfAbsent(index, key -> new OpenTask());
      task.cpu = cpu;
      task.memory = memory;
      task.priority = priority;
      task.start = event.time();
      task.end = -1;
    } else if (type == SUBMIT) {
      job.tasks.computeIfAbsent(index, key -> new OpenTask());
    } else if (type <= LOST) {
      OpenTask task = job.tasks.get(index);
      if (task == null) {
        throw new BadField("task " + index + " of job " + id + " ends, but was not submitted");
      }
      task.end = event.time();
    }
  }

  private Optional<TraceJob> nextOpenJob() throws TraceException {
    if (beginHours > 0 && taskEvents.last <= start) {
      throw new TraceException(
          "%s: the trace ends before hour %d, at %.1f hours"
              .formatted(
                  directory, beginHours, (double) (taskEvents.last - START_MICROS) / HOUR_MICROS));
    }
    return JobAssembler.nextOf(open, (id, left) -> assemble(id, left, taskEvents.last));
  }

  private Optional<TraceJob> assemble(long id, OpenJob job, long end) {
    JobAssembler assembler = new JobAssembler(id, leftOut);
    int priority = 0;
    for (Map.Entry<Integer, OpenTask> entry : job.tasks.entrySet()) {
      OpenTask task = entry.getValue();
      if (task.start < 0) {
        leftOut.add("tasks that never ran", 1);
      } else if (task.end >= 0 && task.end < start) {
        leftOut.add("tasks that ended before the window", 1);
      } else if (task.memory.isEmpty() || task.cpu.isEmpty()) {
        leftOut.add("tasks without a request", 1);
      } else {
        long until = task.end < 0 ? end : task.end;
        long micros = Math.max(0, until - Math.max(start, task.start));
        priority = task.priority;
        assembler.add(
            entry.getKey(),
            Math.round(task.memory.getAsDouble() * node.memoryBytes()),
            task.cpu.getAsDouble() * node.cores(),
            micros / 1000);
      }
    }
    return assembler.job(
        job.name,
        job.user,
        priority,
        job.submit < START_MICROS + beginHours * HOUR_MICROS,
        Math.max(0, job.submit - start) / 1000);
  }
}
