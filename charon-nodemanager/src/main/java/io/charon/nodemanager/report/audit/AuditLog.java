/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.files.OwnerOnly;
import io.charon.nodemanager.files.ReadableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes decisions as JSON lines: {@code audit.jsonl} is the newest file, {@code audit.jsonl.3} the
 * oldest. Their total size stays below a limit: when the newest file would exceed a quarter of it,
 * the files are rotated and the oldest is deleted. The directory and the files are created for
 * their owner only. Every line is written by a separate open and write, so that readers see it at
 * once and a deleted file is created again. Thread-safe.
 */
public final class AuditLog {
  static final String NAME = "audit.jsonl";
  static final int FILES = 4;

  private final ObjectMapper mapper = new ObjectMapper();
  private final Path directory;
  private final long fileBytes;

  /**
   * Creates a log; nothing is touched before the first line.
   *
   * @param directory the directory; created if missing
   * @param maxBytes total size limit of all files, bytes; positive
   */
  public AuditLog(Path directory, long maxBytes) {
    this.directory = directory;
    this.fileBytes = maxBytes / FILES;
  }

  /**
   * Appends a line.
   *
   * @throws IOException if it cannot be written; later lines are tried again
   */
  public synchronized void write(AuditRecord entry) throws IOException {
    byte[] line = (mapper.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
    if (line.length > fileBytes) {
      throw new IOException(
          "a line of %d bytes exceeds the maximum size of a file (%d bytes)"
              .formatted(line.length, fileBytes));
    }
    OwnerOnly.makeDirectory(directory);
    Path newest = file(0);
    if (Files.exists(newest) && Files.size(newest) + line.length > fileBytes) {
      moveOn();
    }
    removeOldest();
    append(newest, line);
  }

  /**
   * Appends a line and truncates a partial write, as on a full disk, which would corrupt the next
   * line.
   */
  private static void append(Path file, byte[] line) throws IOException {
    try (FileChannel channel =
        OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long end = channel.size();
      channel.position(end);
      try {
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        channel.truncate(end);
        throw e;
      }
    }
  }

  /**
   * Returns the existing files of a log, oldest first.
   *
   * @throws IOException if the directory does not exist or cannot be read; the message names it
   */
  public static List<Path> files(Path directory) throws IOException {
    return ReadableFiles.existing(
        directory,
        IntStream.iterate(FILES - 1, age -> age >= 0, age -> age - 1)
            .mapToObj(AuditLog::name)
            .toList());
  }

  private void moveOn() throws IOException {
    for (int age = FILES - 1; age > 0; age--) {
      if (Files.exists(file(age - 1))) {
        Files.move(file(age - 1), file(age), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Removes the oldest files that exceed the limit, which may have been higher before. */
  private void removeOldest() throws IOException {
    long bytes = fileBytes; // of the newest file
    for (int age = 1; age < FILES; age++) {
      Path file = file(age);
      if (Files.exists(file)) {
        bytes += Files.size(file);
        if (bytes > FILES * fileBytes) {
          Files.delete(file);
        }
      }
    }
  }

  private Path file(int age) {
    return directory.resolve(name(age));
  }

  private static String name(int age) {
    return age == 0 ? NAME : NAME + "." + age;
  }
}
