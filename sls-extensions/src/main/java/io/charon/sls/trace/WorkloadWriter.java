/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a workload file. The file has a temporary name until {@link #finish()}, so a file with the
 * final name is always complete.
 */
public final class WorkloadWriter implements Closeable {
  private final Path out;
  private final Path temporary;
  private final WorkloadHeader header;
  private final JsonGenerator json;
  private long jobs;

  /**
   * Begins a file.
   *
   * @param out final path of the file
   * @param header the first line
   * @throws IOException if the directory cannot be written
   */
  public WorkloadWriter(Path out, WorkloadHeader header) throws IOException {
    this.out = out.toAbsolutePath();
    this.header = header;
    if (Files.isDirectory(out)) {
      throw new TraceException(out + ": is a directory");
    }
    temporary = this.out.resolveSibling(".charon-workload-" + UUID.randomUUID() + ".tmp");
    temporary.toFile().deleteOnExit();
    OutputStream stream =
        new GZIPOutputStream(
            new BufferedOutputStream(
                Files.newOutputStream(
                    temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)),
            1 << 16);
    json = new ObjectMapper().getFactory().createGenerator(stream);
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    json.writeObject(WorkloadHeaderJson.of(header));
  }

  /** Appends a job; jobs must come in the order of their submission. */
  public void write(SimulatedJob job) throws IOException {
    jobs++;
    json.writeStartObject();
    json.writeStringField("id", job.id());
    json.writeStringField("name", job.name());
    json.writeStringField("user", job.user());
    json.writeStringField("side", job.side().name());
    json.writeStringField("type", job.type().name());
    json.writeNumberField("submitMillis", job.submitMillis());
    json.writeArrayFieldStart("tasks");
    for (TaskGroup group : job.tasks()) {
      json.writeStartObject();
      json.writeNumberField("count", group.count());
      json.writeNumberField("requestedBytes", group.requestedBytes());
      json.writeNumberField("virtualCores", group.virtualCores());
      json.writeNumberField("usedCores", rounded(group.usedCores()));
      json.writeNumberField("durationMillis", group.durationMillis());
      if (group.stage() > 0) {
        json.writeNumberField("stage", group.stage());
      }
      json.writeArrayFieldStart("memory");
      for (MemoryCurve.Point point : group.memory().points()) {
        json.writeStartArray();
        json.writeNumber(point.progress());
        json.writeNumber(point.anonymousBytes());
        json.writeNumber(point.fileBytes());
        if (point.streamingBytes() > 0) {
          json.writeNumber(point.streamingBytes());
        }
        json.writeEndArray();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Completes the file and renames it to its final name. */
  public void finish() throws IOException {
    json.writeRaw('\n');
    json.close();
    if (jobs != header.jobs()) {
      throw new IllegalStateException(
          "the header announces " + header.jobs() + " jobs, but " + jobs + " were written");
    }
    Files.move(temporary, out, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    json.close();
    Files.deleteIfExists(temporary);
  }

  private static double rounded(double cores) {
    return Math.round(cores * 1e6) / 1e6;
  }
}
