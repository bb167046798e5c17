/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the kernel's files that list CPUs. */
final class CpuList {
  private CpuList() {}

  /**
   * Returns the CPUs that a file lists.
   *
   * @return empty if the file does not exist or is empty
   * @throws IOException naming the file, if it is not a list of CPUs
   */
  static Optional<Cores> read(Path file) throws IOException {
    try {
      return Optional.of(Cores.parse(Files.readString(file))).filter(cores -> !cores.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " does not hold a list of CPUs", e);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
