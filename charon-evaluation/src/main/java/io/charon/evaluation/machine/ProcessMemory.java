/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the memory of processes that are not in a cgroup of their own from {@code /proc}. */
public final class ProcessMemory {
  private static final int BYTES_PER_KILOBYTE = 1024;

  private ProcessMemory() {}

  /**
   * Returns the anonymous and shared memory of a process, bytes; 0 if it is exiting.
   *
   * @param process directory of the process below proc
   * @throws IOException if the process does not exist any more
   */
  public static long of(Path process) throws IOException {
    String status = Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1);
    return (kilobytes(status, "RssAnon:") + kilobytes(status, "RssShmem:")) * BYTES_PER_KILOBYTE;
  }

  private static long kilobytes(String status, String key) {
    int line = status.indexOf(key);
    return line < 0
        ? 0
        : Long.parseLong(
            status.substring(line + key.length(), status.indexOf(" kB", line)).strip());
  }

  /**
   * Returns the anonymous and shared memory, bytes, of all processes whose command line names a
   * directory.
   *
   * @param proc the {@code /proc} file system
   * @param directory parent of the containers' local and log directories
   * @throws IOException if {@code proc} cannot be listed
   */
  public static long ofContainers(Path proc, Path directory) throws IOException {
    String needle = directory + "/";
    long bytes = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        bytes += ofContainer(process, needle);
      }
    }
    return bytes;
  }

  private static long ofContainer(Path process, String needle) {
    try {
      String commandLine =
          Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      return commandLine.contains(needle) ? of(process) : 0;
    } catch (IOException ended) {
      return 0;
    }
  }
}
