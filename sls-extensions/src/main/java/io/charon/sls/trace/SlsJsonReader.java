/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.charon.sls.workload.MemoryCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the JSON of Hadoop's Scheduler Load Simulator: jobs one after the other, or in one array.
 * It supports the two fields of the Charon authors: {@code container.musage} with {@code times}
 * (milliseconds after the container's start) and {@code mems} (megabytes until that time), and
 * {@code container.exetype} ({@code guaranteed} or {@code opportunistic}). Hadoop's own {@code
 * container.execution.type} has the same meaning. A job without either is production.
 */
public final class SlsJsonReader implements TraceReader {
  private static final long MEGABYTE = 1L << 20;
  private static final long DEFAULT_MEGABYTES = 1024;
  private static final int MAX_TASKS = 10_000_000;
  private static final int MAX_COPIES = 100_000;

  /** Limits of what is kept of one job: about 100 MB of each (our choice). */
  private static final int MAX_BATCHES = 1_000_000;

  private static final int MAX_POINTS = 2_000_000;

  private static final long MAX_MEGABYTES = 1L << 30;

  /** An object of the file: its scalar fields, and its memory curve if it has one. */
  private record Fields(Map<String, String> values, List<Long> times, List<Long> megabytes) {
    Optional<String> text(String... names) {
      for (String name : names) {
        if (values.containsKey(name)) {
          return Optional.of(values.get(name));
        }
      }
      return Optional.empty();
    }

    long number(long lowest, long highest, long standard, String... names) throws BadJob {
      Optional<String> text = text(names);
      if (text.isEmpty()) {
        return standard;
      }
      try {
        long number = Long.parseLong(text.get());
        if (number >= lowest && number <= highest) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw new BadJob("%s is \"%s\", not an integer".formatted(names[0], text.get()), e);
      }
      throw new BadJob(
          "%s is %s, not from %d to %d".formatted(names[0], text.get(), lowest, highest));
    }
  }

  /** The tasks of a job while it is read. */
  private static final class Tasks {
    private final Map<TaskBatch, Integer> counts = new LinkedHashMap<>();
    private final Set<Tier> tiers = EnumSet.noneOf(Tier.class);
    private long count;
    private long points;
    private Optional<BadJob> problem = Optional.empty();
  }

  /** Thrown if a job does not match the format; the job is left out. */
  private static final class BadJob extends Exception {
    private static final long serialVersionUID = 1L;

    BadJob(String message) {
      super(message);
    }

    BadJob(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final TraceNodeSize node;
  private final BadRows badRows;
  private final Deque<Path> files;
  private final Set<String> ids = new HashSet<>();
  private final SkippedCounts leftOut = new SkippedCounts();
  private final String provenance;
  private Path file;
  private SlsJsonTokens tokens;
  private final Deque<TraceJob> copies = new ArrayDeque<>();
  private Optional<Long> firstStart = Optional.empty();
  private long rows;

  /**
   * Opens a trace.
   *
   * @param input a file, or a directory with files {@code *.json} or {@code *.json.gz}
   * @throws TraceException if there is no such file
   */
  public SlsJsonReader(Path input, TraceNodeSize node, BadRows badRows) throws TraceException {
    this.node = node;
    this.badRows = badRows;
    provenance = "Scheduler Load Simulator JSON " + input.getFileName();
    files =
        new ArrayDeque<>(
            Files.isRegularFile(input)
                ? List.of(input)
                : TraceParts.matching(input, "*.{json,json.gz}"));
  }

  @Override
  public Optional<TraceJob> next() throws IOException {
    while (copies.isEmpty()) {
      try {
        if (tokens == null) {
          if (files.isEmpty()) {
            return Optional.empty();
          }
          file = files.remove();
          tokens = new SlsJsonTokens(file);
        }
        JsonToken token = tokens.next();
        if (token == null) {
          tokens.close();
          tokens = null;
        } else if (token == JsonToken.START_OBJECT) {
          rows++;
          long line = tokens.line();
          try {
            job();
          } catch (BadJob e) {
            badRows.add(CsvRow.place(file.toString(), line), e.getMessage());
          }
        } else if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
          throw new TraceException(place() + ": a job must be a JSON object");
        }
      } catch (TraceException e) {
        throw e;
      } catch (JsonProcessingException e) {
        throw new TraceException(place() + ": not JSON: " + e.getOriginalMessage(), e);
      } catch (IOException e) {
        throw new TraceException(place() + ": " + CsvFiles.cause(e), e);
      }
    }
    return Optional.of(copies.remove());
  }

  @Override
  public Optional<TracedCell> cell() {
    return Optional.empty();
  }

  @Override
  public String provenance() {
    return provenance;
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public Map<String, Long> leftOut() {
    return leftOut.counts();
  }

  @Override
  public void close() throws IOException {
    if (tokens != null) {
      tokens.close();
    }
  }

  private String place() {
    return tokens == null ? String.valueOf(file) : tokens.place();
  }

  /** Reads one job to its end, even if it is invalid, and queues its copies. */
  private void job() throws IOException, BadJob {
    Fields fields = new Fields(new HashMap<>(), List.of(), List.of());
    Tasks tasks = new Tasks();
    boolean hasTasks = false;
    while (tokens.next() != JsonToken.END_OBJECT) {
      String name = tokens.name();
      JsonToken value = tokens.next();
      if (name.equals("job.tasks") && value == JsonToken.START_ARRAY) {
        hasTasks = true;
        while (tokens.next() != JsonToken.END_ARRAY) {
          Fields task = fields();
          try {
            add(task, tasks);
          } catch (BadJob e) {
            tasks.problem = tasks.problem.or(() -> Optional.of(e));
          }
        }
      } else {
        tokens.scalar(fields.values(), name, value);
      }
    }
    if (!hasTasks) {
      throw new BadJob("no job.tasks: not the JSON of the Scheduler Load Simulator");
    }
    if (tasks.problem.isPresent()) {
      throw tasks.problem.get();
    }
    enqueue(fields, tasks);
  }

  private void enqueue(Fields fields, Tasks tasks) throws BadJob {
    String id = fields.text("job.id").orElse("job_" + rows);
    if (tasks.counts.isEmpty()) {
      leftOut.add("jobs without a task", 1);
      return;
    }
    if (tasks.tiers.size() > 1) {
      throw new BadJob("job " + id + " has both guaranteed and opportunistic containers");
    }
    if (!ids.add(id)) {
      throw new BadJob("a second job with the id " + id);
    }
    long start = fields.number(0, WorkloadNumbers.LONGEST_MILLIS, 0, "job.start.ms");
    long first = firstStart.orElse(start);
    firstStart = Optional.of(first);
    if (start < first) {
      throw new BadJob("job " + id + " starts before the first job of the file");
    }
    List<TaskBatch> batches = new ArrayList<>();
    tasks.counts.forEach((batch, count) -> batches.add(batch.withCount(count)));
    // The copies share one unmodifiable list; a list for each of them could fill the memory.
    List<TaskBatch> shared = List.copyOf(batches);
    long copyCount = fields.number(1, MAX_COPIES, 1, "job.count");
    for (long copy = 2; copy <= copyCount; copy++) {
      if (!ids.add(copyId(id, copy))) {
        throw new BadJob("a second job with the id " + copyId(id, copy));
      }
    }
    for (long copy = 1; copy <= copyCount; copy++) {
      copies.add(
          new TraceJob(
              copyId(id, copy),
              id,
              fields.text("job.user").orElse("default"),
              tasks.tiers.iterator().next(),
              false,
              start - first,
              shared));
    }
  }

  private static String copyId(String id, long copy) {
    return copy == 1 ? id : id + "-" + copy;
  }

  private void add(Fields task, Tasks tasks) throws BadJob, TraceException {
    long start = task.number(0, WorkloadNumbers.LONGEST_MILLIS, 0, "container.start.ms");
    long end = task.number(0, WorkloadNumbers.LONGEST_MILLIS, start, "container.end.ms");
    long duration =
        task.number(
            1, WorkloadNumbers.LONGEST_MILLIS, end - start, "duration.ms", "container.duration.ms");
    if (duration < 1) {
      throw new BadJob("a container ends at %d, not after its start %d".formatted(end, start));
    }
    long megabytes =
        task.number(1, MAX_MEGABYTES, DEFAULT_MEGABYTES, "container.memory", "container.memory-mb");
    long cores = task.number(1, Integer.MAX_VALUE, 1, "container.vcores");
    if (megabytes * MEGABYTE > node.memoryBytes() || cores > node.cores()) {
      throw new BadJob(
          "a container asks for %d MB and %d cores; a node has %d MB and %d cores"
              .formatted(megabytes, cores, node.memoryBytes() / MEGABYTE, node.cores()));
    }
    int count = (int) task.number(1, MAX_TASKS, 1, "container.count");
    tasks.count += count;
    if (tasks.count > MAX_TASKS) {
      throw new BadJob("more than " + MAX_TASKS + " containers in a job");
    }
    String type =
        task.text("container.exetype", "container.execution.type")
            .orElse("guaranteed")
            .toLowerCase(Locale.ROOT);
    if (!type.equals("guaranteed") && !type.equals("opportunistic")) {
      throw new BadJob("\"" + type + "\" is not an execution type");
    }
    tasks.tiers.add(type.equals("opportunistic") ? Tier.OTHER : Tier.PRODUCTION);
    TaskBatch batch =
        new TaskBatch(1, megabytes * MEGABYTE, cores, duration, 0, curve(task, duration));
    if (tasks.counts.merge(batch, count, Integer::sum) == count) {
      tasks.points += task.times().size();
    }
    if (tasks.counts.size() > MAX_BATCHES || tasks.points > MAX_POINTS) {
      throw new TraceException(
          "%s: a job has more than %d different containers or %d points in their curves"
              .formatted(place(), MAX_BATCHES, MAX_POINTS));
    }
  }

  /**
   * Converts the authors' curve, a step function: mems[i] holds until times[i], the last one to the
   * end.
   */
  private static Optional<MemoryCurve> curve(Fields task, long duration) throws BadJob {
    List<Long> times = task.times();
    if (times.size() != task.megabytes().size()) {
      throw new BadJob(
          "container.musage has %d times and %d mems"
              .formatted(times.size(), task.megabytes().size()));
    }
    if (times.isEmpty()) {
      return Optional.empty();
    }
    List<MemoryCurve.Point> points = new ArrayList<>();
    long from = 0;
    for (int i = 0; i < times.size() && from <= duration; i++) {
      long megabytes = task.megabytes().get(i);
      if (times.get(i) < 0 || megabytes < 0 || megabytes > MAX_MEGABYTES) {
        throw new BadJob(
            "container.musage contains a number that is negative, too large or not a number");
      }
      if (i > 0 && times.get(i) <= times.get(i - 1)) {
        throw new BadJob("the times of container.musage do not increase");
      }
      long until = Math.min(times.get(i), duration);
      points.add(new MemoryCurve.Point((double) from / duration, megabytes * MEGABYTE, 0));
      if (until > from) {
        points.add(new MemoryCurve.Point((double) until / duration, megabytes * MEGABYTE, 0));
      }
      from = until + 1;
    }
    return Optional.of(new MemoryCurve(points));
  }

  /** Reads one container to its end. */
  private Fields fields() throws IOException {
    if (tokens.current() != JsonToken.START_OBJECT) {
      throw new TraceException(place() + ": a container must be a JSON object");
    }
    Fields fields = new Fields(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
    while (tokens.next() != JsonToken.END_OBJECT) {
      String name = tokens.name();
      JsonToken value = tokens.next();
      if (name.equals("container.musage") && value == JsonToken.START_OBJECT) {
        while (tokens.next() != JsonToken.END_OBJECT) {
          String list = tokens.name();
          tokens.next();
          switch (list) {
            case "times" -> tokens.numbers(fields.times());
            case "mems" -> tokens.numbers(fields.megabytes());
            default -> tokens.skipChildren();
          }
        }
      } else {
        tokens.scalar(fields.values(), name, value);
      }
    }
    return fields;
  }
}
