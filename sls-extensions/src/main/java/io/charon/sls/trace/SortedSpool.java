/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.MemoryCurve;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sorts jobs by submission on disk, with sorted runs of a bounded size that are merged while they
 * are read. A trace of any length needs the same memory. The files are in one directory, which
 * {@link #close()} deletes.
 */
final class SortedSpool implements Closeable {
  private static final Comparator<TraceJob> BY_SUBMISSION =
      Comparator.comparingLong(TraceJob::submitMillis).thenComparing(TraceJob::id);
  private static final int BATCHES_PER_RUN = 50_000;

  private final Path directory;
  private final int batchesPerRun;
  private final List<Path> runs = new ArrayList<>();
  private List<TraceJob> buffer = new ArrayList<>();
  private long buffered;

  /**
   * Creates an empty spool.
   *
   * @param directory parent of the spool's own directory
   */
  SortedSpool(Path directory) throws IOException {
    this(directory, BATCHES_PER_RUN);
  }

  SortedSpool(Path directory, int batchesPerRun) throws IOException {
    this.directory = Files.createTempDirectory(directory, ".charon-workload-");
    this.directory.toFile().deleteOnExit();
    this.batchesPerRun = batchesPerRun;
  }

  void add(TraceJob job) throws IOException {
    buffer.add(job);
    buffered += job.batches().size();
    if (buffered >= batchesPerRun) {
      writeRun();
    }
  }

  /** Receives the jobs in the order of their submission. */
  interface Visitor {
    void visit(TraceJob job) throws IOException;
  }

  /** Visits all jobs in the order of their submission; may be called repeatedly. */
  void forEach(Visitor visitor) throws IOException {
    writeRun();
    List<Run> open = new ArrayList<>();
    try {
      PriorityQueue<Run> heads =
          new PriorityQueue<>(Comparator.comparing(run -> run.head, BY_SUBMISSION));
      for (Path path : runs) {
        Run run = new Run(path);
        open.add(run);
        if (run.advance()) {
          heads.add(run);
        }
      }
      while (!heads.isEmpty()) {
        Run first = heads.remove();
        visitor.visit(first.head);
        if (first.advance()) {
          heads.add(first);
        }
      }
    } finally {
      for (Run run : open) {
        run.in.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Path run : runs) {
      Files.deleteIfExists(run);
    }
    Files.deleteIfExists(directory);
  }

  private void writeRun() throws IOException {
    if (buffer.isEmpty()) {
      return;
    }
    buffer.sort(BY_SUBMISSION);
    Path path = directory.resolve("run-" + runs.size());
    path.toFile().deleteOnExit();
    runs.add(path);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 16))) {
      out.writeInt(buffer.size());
      for (TraceJob job : buffer) {
        write(job, out);
      }
    }
    buffer = new ArrayList<>();
    buffered = 0;
  }

  /** A run that is being read, with its next job. */
  private static final class Run {
    private final DataInputStream in;
    private int left;
    private TraceJob head;

    Run(Path path) throws IOException {
      in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16));
      left = in.readInt();
    }

    boolean advance() throws IOException {
      if (left == 0) {
        return false;
      }
      left--;
      head = read(in);
      return true;
    }
  }

  private static void write(TraceJob job, DataOutputStream out) throws IOException {
    out.writeUTF(job.id());
    out.writeUTF(job.name());
    out.writeUTF(job.user());
    out.writeUTF(job.tier().name());
    out.writeBoolean(job.resident());
    out.writeLong(job.submitMillis());
    out.writeInt(job.batches().size());
    for (TaskBatch batch : job.batches()) {
      out.writeInt(batch.count());
      out.writeLong(batch.requestedBytes());
      out.writeDouble(batch.requestedCores());
      out.writeLong(batch.durationMillis());
      out.writeByte(batch.variant());
      List<MemoryCurve.Point> points = batch.measured().map(MemoryCurve::points).orElse(List.of());
      out.writeInt(points.size());
      for (MemoryCurve.Point point : points) {
        out.writeDouble(point.progress());
        out.writeLong(point.anonymousBytes());
        out.writeLong(point.fileBytes());
        out.writeLong(point.streamingBytes());
      }
    }
  }

  private static TraceJob read(DataInputStream in) throws IOException {
    String id = in.readUTF();
    String name = in.readUTF();
    String user = in.readUTF();
    Tier tier = Tier.valueOf(in.readUTF());
    boolean resident = in.readBoolean();
    long submit = in.readLong();
    int batchCount = in.readInt();
    List<TaskBatch> batches = new ArrayList<>(batchCount);
    for (int i = 0; i < batchCount; i++) {
      batches.add(
          new TaskBatch(
              in.readInt(),
              in.readLong(),
              in.readDouble(),
              in.readLong(),
              in.readByte(),
              readCurve(in)));
    }
    return new TraceJob(id, name, user, tier, resident, submit, batches);
  }

  private static Optional<MemoryCurve> readCurve(DataInputStream in) throws IOException {
    int pointCount = in.readInt();
    List<MemoryCurve.Point> points = new ArrayList<>(pointCount);
    for (int i = 0; i < pointCount; i++) {
      points.add(
          new MemoryCurve.Point(in.readDouble(), in.readLong(), in.readLong(), in.readLong()));
    }
    return points.isEmpty() ? Optional.empty() : Optional.of(new MemoryCurve(points));
  }
}
