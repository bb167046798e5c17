/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import io.charon.sls.workload.WorkloadSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Reads a workload file, with one job in memory at a time. A reader that checks the file remembers
 * the ids of all jobs as well.
 */
public final class WorkloadReader implements WorkloadSource {
  private static final int LONGEST_LINE = 1 << 28;

  /** Deepest nesting; the format needs 5. */
  private static final int DEEPEST = 100;

  private final Path file;
  private final ObjectMapper mapper =
      new ObjectMapper(
          JsonFactory.builder().disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW).build());
  private final BufferedReader lines;
  private final WorkloadHeader header;
  private final Optional<UsedIds> ids;
  private long line;
  private long jobs;
  private long lastSubmit;

  /**
   * Opens a file and reads its header.
   *
   * @throws TraceException if it cannot be read, is not a workload, or has another version
   */
  public WorkloadReader(Path file) throws IOException {
    this(file, Optional.empty());
  }

  /**
   * Opens a file as the constructor does. The reader also refuses ids that are used twice; once is
   * enough for a file that many runs read.
   *
   * @throws TraceException if it cannot be read, is not a workload, or has another version
   */
  public static WorkloadReader checking(Path file) throws IOException {
    return new WorkloadReader(file, Optional.of(new UsedIds()));
  }

  private WorkloadReader(Path file, Optional<UsedIds> ids) throws IOException {
    this.file = file;
    this.ids = ids;
    this.lines = open(file);
    try {
      this.header = readHeader();
    } catch (IOException e) {
      lines.close();
      throw e;
    }
  }

  /** Returns the header. */
  public WorkloadHeader header() {
    return header;
  }

  private WorkloadHeader readHeader() throws TraceException {
    String first = line().orElseThrow(() -> bad("the file is empty"));
    try {
      return WorkloadHeaderJson.read(tree(first));
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private JsonNode tree(String text) throws TraceException {
    try (JsonParser parser = new BoundedDepth(mapper.createParser(text), DEEPEST)) {
      JsonNode tree = mapper.readTree(parser);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (JsonProcessingException e) {
      throw bad(e.getOriginalMessage());
    } catch (IOException e) {
      throw bad(e.getMessage());
    }
  }

  @Override
  public Optional<SimulatedJob> next() throws TraceException {
    Optional<String> text = line();
    if (text.isEmpty()) {
      if (jobs != header.jobs()) {
        throw bad("the file ends after %d of %d jobs".formatted(jobs, header.jobs()));
      }
      return Optional.empty();
    }
    jobs++;
    try {
      SimulatedJob job = job(tree(text.get()));
      if (job.submitMillis() < lastSubmit) {
        throw bad("job " + job.id() + " is submitted before the job of the previous line");
      }
      if (ids.isPresent() && !ids.get().add(job.id())) {
        throw bad("the id " + job.id() + " is used by an earlier job, too");
      }
      lastSubmit = job.submitMillis();
      return Optional.of(job);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw bad("not a job: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private static BufferedReader open(Path file) throws IOException {
    InputStream raw = null;
    try {
      raw = Files.newInputStream(file);
      return new BufferedReader(
          new BoundedLines(
              new InputStreamReader(new GZIPInputStream(raw, 1 << 16), StandardCharsets.UTF_8),
              LONGEST_LINE),
          1 << 16);
    } catch (NoSuchFileException e) {
      throw new TraceException(file + ": no such file", e);
    } catch (IOException e) {
      if (raw != null) {
        raw.close();
      }
      throw new TraceException(file + ": " + CsvFiles.cause(e), e);
    }
  }

  private Optional<String> line() throws TraceException {
    line++;
    try {
      return Optional.ofNullable(lines.readLine());
    } catch (IOException e) {
      throw new TraceException(CsvRow.place(file.toString(), line) + ": " + CsvFiles.cause(e), e);
    }
  }

  private TraceException bad(String cause) {
    return new TraceException(CsvRow.place(file.toString(), line) + ": " + cause);
  }

  private SimulatedJob job(JsonNode json) {
    List<TaskGroup> groups = new ArrayList<>();
    for (JsonNode group : json.required("tasks")) {
      List<MemoryCurve.Point> points = new ArrayList<>();
      for (JsonNode point : group.required("memory")) {
        points.add(
            new MemoryCurve.Point(
                WorkloadNumbers.doubleOf("a point's progress", point.required(0)),
                WorkloadNumbers.longOf("a point's anonymous memory", point.required(1)),
                WorkloadNumbers.longOf("a point's page cache", point.required(2)),
                point.has(3)
                    ? WorkloadNumbers.longOf("a point's streamed page cache", point.get(3))
                    : 0));
      }
      TaskGroup tasks =
          new TaskGroup(
              WorkloadNumbers.intOf(group, "count"),
              WorkloadNumbers.longOf(group, "requestedBytes"),
              WorkloadNumbers.intOf(group, "virtualCores"),
              WorkloadNumbers.doubleOf(group, "usedCores"),
              WorkloadNumbers.millisOf(group, "durationMillis"),
              new MemoryCurve(points),
              group.has("stage") ? WorkloadNumbers.intOf(group, "stage") : 0);
      if (tasks.requestedBytes() > header.node().memoryBytes()
          || tasks.virtualCores() > header.node().cores()) {
        throw new IllegalArgumentException(
            "tasks ask for %d bytes and %d cores, more than a node has"
                .formatted(tasks.requestedBytes(), tasks.virtualCores()));
      }
      groups.add(tasks);
    }
    return new SimulatedJob(
        json.required("id").asText(),
        json.required("name").asText(),
        json.required("user").asText(),
        Side.valueOf(json.required("side").asText()),
        JobType.valueOf(json.required("type").asText()),
        WorkloadNumbers.millisOf(json, "submitMillis"),
        groups);
  }
}
