/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.files.OwnerOnly;
import io.charon.nodemanager.files.RotatedFiles;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

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
  private final RotatedFiles files;
  private final long fileBytes;

  /**
   * Creates a log; nothing is touched before the first line.
   *
   * @param directory the directory; created if missing
   * @param maxBytes total size limit of all files, bytes; positive
   */
  public AuditLog(Path directory, long maxBytes) {
    this.files = in(directory);
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
    OwnerOnly.makeDirectory(files.directory());
    Path newest = files.file(0);
    if (Files.exists(newest) && Files.size(newest) + line.length > fileBytes) {
      files.rotate(FILES - 1);
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
        Channels.newOutputStream(channel).write(line);
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
    return in(directory).existing();
  }

  /** Removes the oldest files that exceed the limit, which may have been higher before. */
  private void removeOldest() throws IOException {
    long bytes = fileBytes; // of the newest file
    for (int age = 1; age < FILES; age++) {
      Path file = files.file(age);
      if (Files.exists(file)) {
        bytes += Files.size(file);
        if (bytes > FILES * fileBytes) {
          Files.delete(file);
        }
      }
    }
  }

  private static RotatedFiles in(Path directory) {
    return new RotatedFiles(directory, FILES, age -> age == 0 ? NAME : NAME + "." + age);
  }
}
