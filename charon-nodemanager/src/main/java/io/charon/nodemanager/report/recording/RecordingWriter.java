/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.files.OwnerOnly;
import io.charon.nodemanager.files.RotatedFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a recording as compressed files of JSON lines. A file ends at half of the total size
 * limit, or with the NodeManager; nothing is appended to it later, since its end may be damaged.
 * The oldest file is deleted when all of them reach the limit, and the smallest of the older ones
 * when there are too many, so that a NodeManager that ends again and again keeps what it recorded
 * before. Callers never wait: lines that arrive faster than they can be written are dropped and
 * counted. If the disk is full or the directory cannot be written, the recording ends and the node
 * continues.
 */
public final class RecordingWriter implements AutoCloseable {
  /** Name of the file that is being written. */
  public static final String NEWEST = "recording.jsonl.gz";

  private static final Logger LOG = LoggerFactory.getLogger(RecordingWriter.class);

  /** Maximum number of files; without restarts there are two (our choice). */
  private static final int FILES = 8;

  /** Capacity of the queue in lines: some minutes of a busy node (our choice). */
  private static final int MAX_WAITING = 10_000;

  private static final Duration FLUSH = Duration.ofSeconds(2);
  private static final Duration LAST_LINES = Duration.ofSeconds(3);

  /**
   * The complete state at one moment, with which a file begins.
   *
   * @param nanos the moment; lines that are recorded later follow in the file
   * @param lines lines that bring an empty scheduler to that state
   */
  public record Checkpoint(long nanos, List<Recorded> lines) {
    /** Copies the list. */
    public Checkpoint {
      lines = List.copyOf(lines);
    }
  }

  private final ObjectMapper mapper = new ObjectMapper();
  private final RotatedFiles files;
  private final long fileBytes;
  private final Map<String, String> keys;
  private final Counter failures;
  private final LongSupplier nanoClock;
  private final Clock wallClock;
  private final BlockingQueue<Optional<Recorded>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread = new Thread(this::write, "charon-recording");
  private volatile Supplier<Checkpoint> state = () -> new Checkpoint(0, List.of());
  private volatile boolean closed;
  private volatile boolean ended;

  /**
   * Creates a recording that has not started.
   *
   * @param directory the directory; created if missing
   * @param maxBytes total size limit of all files, bytes
   * @param keys all keys of Charon on the node with their values
   * @param failures counts write failures
   * @param nanoClock the clock of the recorded times
   * @param wallClock provides the timestamps of the files
   */
  public RecordingWriter(
      Path directory,
      long maxBytes,
      Map<String, String> keys,
      Counter failures,
      LongSupplier nanoClock,
      Clock wallClock) {
    this.files = in(directory);
    this.fileBytes = maxBytes / 2;
    this.keys = Map.copyOf(keys);
    this.failures = failures;
    this.nanoClock = nanoClock;
    this.wallClock = wallClock;
    thread.setDaemon(true);
  }

  /**
   * Starts the recording.
   *
   * @param known returns the current state; called on the writer's thread whenever a file begins.
   *     After it has returned, no line with an earlier time may be recorded.
   */
  public void start(Supplier<Checkpoint> known) {
    state = known;
    thread.start();
  }

  /** Records a line if the queue has room. Never waits. */
  public void add(Recorded line) {
    if (!ended && !waiting.offer(Optional.of(line))) {
      lost.incrementAndGet();
    }
  }

  /**
   * Returns the existing files of a recording, the oldest first.
   *
   * @throws IOException if the directory does not exist or cannot be read; the message names it
   */
  public static List<Path> files(Path directory) throws IOException {
    return in(directory).existing();
  }

  @Override
  public void close() {
    closed = true;
    boolean unused = waiting.offer(Optional.empty()); // wakes the writer if it waits for a line
    try {
      thread.join(LAST_LINES.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    Optional<OpenFile> open = Optional.empty();
    try {
      Optional<Checkpoint> next = Optional.of(state.get());
      while (!closed || !waiting.isEmpty()) {
        Recorded line =
            Optional.ofNullable(waiting.poll(FLUSH.toMillis(), TimeUnit.MILLISECONDS))
                .flatMap(one -> one)
                .orElse(null);
        if (next.isPresent() && (line == null || line.nanos() > next.get().nanos())) {
          if (open.isPresent()) {
            open.get().close();
          }
          open = Optional.of(begin(next.get()));
          next = Optional.empty();
        }
        if (open.isPresent() && open.get().write(line) && next.isEmpty()) {
          next = Optional.of(state.get());
        }
      }
    } catch (IOException | RuntimeException e) {
      failures.inc();
      LOG.warn(
          "the recording in {} ends here; the node continues without it", files.directory(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
      waiting.clear();
      open.ifPresent(OpenFile::abandon);
    }
  }

  private OpenFile begin(Checkpoint known) throws IOException {
    OwnerOnly.makeDirectory(files.directory());
    if (Files.exists(files.file(0))) {
      moveOn();
    }
    OpenFile file = new OpenFile(files.file(0));
    try {
      file.append(
          new Recorded.Begun(known.nanos(), Recorded.FORMAT, wallClock.instant().toString(), keys));
      for (Recorded line : known.lines()) {
        file.append(line);
      }
      return file;
    } catch (IOException e) {
      file.abandon();
      throw e;
    }
  }

  /** Makes the files older by one; if there are too many, the smallest of the older is replaced. */
  private void moveOn() throws IOException {
    int last = 1;
    for (int age = 2; age < FILES; age++) {
      if (bytes(age) <= bytes(last)) {
        last = age;
      }
    }
    files.rotate(last);
  }

  /** Deletes the oldest files while all together reach the limit. */
  private void makeRoom() throws IOException {
    long bytes = bytes(0);
    for (int age = 1; age < FILES; age++) {
      bytes += bytes(age);
      if (bytes >= 2 * fileBytes) {
        Files.deleteIfExists(files.file(age));
      }
    }
  }

  /** Returns the size of a file, 0 if it does not exist. */
  private long bytes(int age) {
    return files.file(age).toFile().length();
  }

  private static RotatedFiles in(Path directory) {
    return new RotatedFiles(
        directory, FILES, age -> age == 0 ? NEWEST : "recording." + age + ".jsonl.gz");
  }

  /** The file that is being written. */
  private final class OpenFile {
    private final FileChannel channel;
    private final OutputStream lines;
    private long flushedNanos = nanoClock.getAsLong();

    OpenFile(Path file) throws IOException {
      channel = OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lines = compressed(channel);
    }

    private static OutputStream compressed(FileChannel channel) throws IOException {
      try {
        return new GZIPOutputStream(Channels.newOutputStream(channel), 8192, true);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }

    /** Writes a line if there is one; returns true if the file has reached its size limit. */
    boolean write(Recorded line) throws IOException {
      long missing = lost.getAndSet(0);
      if (missing > 0) {
        append(new Recorded.Lost(nanoClock.getAsLong(), missing));
      }
      if (line != null) {
        append(line);
      }
      if (nanoClock.getAsLong() - flushedNanos >= FLUSH.toNanos()) {
        lines.flush();
        flushedNanos = nanoClock.getAsLong();
        makeRoom();
        return channel.position() >= fileBytes;
      }
      return false;
    }

    private void append(Recorded line) throws IOException {
      lines.write(mapper.writeValueAsBytes(line));
      lines.write('\n');
    }

    /** Closes the channel as well, which stays open if the stream cannot write its end. */
    void close() throws IOException {
      try {
        lines.close();
      } finally {
        channel.close();
      }
    }

    void abandon() {
      try {
        close();
      } catch (IOException e) {
        LOG.debug("cannot write the end of the recording", e);
      }
    }
  }
}
