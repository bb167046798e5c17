/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads one of the kernel's files that list CPUs. */
final class CpuList implements RoundRobinReader.Reading<Optional<Cores>> {
  private final Path path;
  private final PseudoFile file;

  CpuList(Path path) {
    this.path = path;
    this.file = new PseudoFile(path);
  }

  /**
   * Returns the CPUs that a file lists.
   *
   * @return empty if the file does not exist or is empty
   * @throws IOException naming the file, if it is not a list of CPUs
   */
  static Optional<Cores> read(Path path) throws IOException {
    try (CpuList list = new CpuList(path)) {
      return list.read();
    }
  }

  /** Returns the CPUs that the file lists now, as {@link #read(Path)} does. */
  @Override
  public Optional<Cores> read() throws IOException {
    try {
      file.read();
    } catch (IOException e) {
      if (Files.exists(path)) {
        throw e;
      }
      return Optional.empty();
    }
    try {
      return Optional.of(Cores.parse(file.content())).filter(cores -> !cores.isEmpty());
    } catch (IllegalArgumentException e) {
      throw new IOException(path + " does not hold a list of CPUs", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
