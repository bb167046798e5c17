/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the memory of processes that are not in a cgroup of their own from {@code /proc}. */
final class ProcessMemory {
  private ProcessMemory() {}

  /**
   * Returns the anonymous and shared memory, bytes, of all processes whose command line names a
   * directory.
   *
   * @param proc the {@code /proc} file system
   * @param directory parent of the containers' local and log directories
   * @throws IOException if {@code proc} cannot be listed
   */
  static long ofContainers(Path proc, Path directory) throws IOException {
    String needle = directory + "/";
    long bytes = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        bytes += ofProcess(process, needle);
      }
    }
    return bytes;
  }

  private static long ofProcess(Path process, String needle) {
    try {
      String commandLine =
          Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      if (!commandLine.contains(needle)) {
        return 0;
      }
      return Files.readAllLines(process.resolve("status")).stream()
          .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .sum();
    } catch (IOException ended) {
      return 0;
    }
  }
}
