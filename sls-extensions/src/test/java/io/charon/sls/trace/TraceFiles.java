/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** Creates small traces on disk for tests. */
final class TraceFiles {
  static final TraceNodeSize NODE = new TraceNodeSize(1L << 30, 10);

  /** Two machines of the largest size, which exist from the start. */
  static final List<String> MACHINES = List.of("0,1,0,p,1,1", "0,2,0,p,1,1");

  private TraceFiles() {}

  /** Writes a raw trace with one part per table. */
  static Path raw(Path directory, List<String> jobs, List<String> tasks) {
    part(directory, "job_events", 0, jobs);
    part(directory, "task_events", 0, tasks);
    part(directory, "machine_events", 0, MACHINES);
    return directory;
  }

  static Path part(Path directory, String table, int number, List<String> lines) {
    return gzip(
        directory.resolve(table).resolve("part-%05d-of-00500.csv.gz".formatted(number)), lines);
  }

  static Path gzip(Path file, List<String> lines) {
    try {
      Files.createDirectories(file.getParent());
      return Files.write(file, bytes(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the same file as {@link #gzip} without the end of the compressed data. */
  static Path truncated(Path file, List<String> lines) {
    try {
      Files.createDirectories(file.getParent());
      byte[] whole = bytes(lines);
      return Files.write(file, Arrays.copyOf(whole, whole.length * 2 / 3));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a row of job_events; type 0 submits, 4 finishes. */
  static String job(long seconds, long id, int type) {
    return seconds * 1_000_000 + ",," + id + "," + type + ",user,2,name,logical" + id;
  }

  /** Returns a row of task_events; type 0 submits, 1 schedules, 2 evicts, 4 finishes. */
  static String task(long seconds, long job, int index, int type, int priority, double memory) {
    return seconds * 1_000_000
        + ",,"
        + job
        + ","
        + index
        + ",7,"
        + type
        + ",user,2,"
        + priority
        + ",0.25,"
        + memory
        + ",0,0";
  }

  static List<TraceJob> readAll(TraceReader reader) throws IOException {
    List<TraceJob> jobs = new ArrayList<>();
    for (Optional<TraceJob> job = reader.next(); job.isPresent(); job = reader.next()) {
      jobs.add(job.get());
    }
    return jobs;
  }

  private static byte[] bytes(List<String> lines) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
