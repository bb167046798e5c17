/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.nodemanager.files.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What cgroups had before their first change, over a restart of the NodeManager where containers
 * outlive one. Each is kept before its change. For one thread.
 */
final class FoundBandwidths {
  private final Optional<Path> file;
  private final SortedMap<Path, Bandwidth> found = new TreeMap<>();
  private boolean read;

  /** As an earlier NodeManager left them; nothing is read yet. */
  FoundBandwidths(Optional<Path> file) {
    this.file = file;
  }

  /**
   * Those that are kept, by the directories of their cgroups.
   *
   * @throws IOException the first time, if what an earlier NodeManager left cannot be understood
   */
  SortedMap<Path, Bandwidth> all() throws IOException {
    if (!read) {
      read = true;
      if (file.isPresent() && Files.exists(file.get())) {
        read(file.get());
      }
    }
    return new TreeMap<>(found);
  }

  private void read(Path from) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Channels.newInputStream(OwnerOnly.open(from, StandardOpenOption.READ))) {
      properties.load(in);
      for (String directory : properties.stringPropertyNames()) {
        String[] numbers = properties.getProperty(directory).split(" ", -1);
        found.put(
            Path.of(directory),
            new Bandwidth(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2])));
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException(from + " cannot be understood: " + e.getMessage(), e);
    }
  }

  /**
   * Keeps what a cgroup has.
   *
   * @throws IOException if it cannot be kept; then nothing must be changed
   */
  void keep(Path cgroup, Bandwidth has) throws IOException {
    Bandwidth before = found.put(cgroup, has);
    if (!has.equals(before)) {
      try {
        write();
      } catch (IOException e) {
        if (before == null) {
          found.remove(cgroup);
        } else {
          found.put(cgroup, before);
        }
        throw e;
      }
    }
  }

  /**
   * Forgets cgroups that have what they had, or are gone.
   *
   * @throws IOException if they stay in the file; that does no harm, the next change writes it anew
   */
  void forget(Set<Path> cgroups) throws IOException {
    if (found.keySet().removeAll(cgroups)) {
      write();
    }
  }

  private void write() throws IOException {
    if (file.isEmpty()) {
      return;
    }
    Path to = file.get();
    OwnerOnly.requireFile(to);
    if (found.isEmpty()) {
      Files.deleteIfExists(to);
      return;
    }
    Properties properties = new Properties();
    found.forEach(
        (cgroup, has) ->
            properties.setProperty(
                cgroup.toString(),
                has.quotaMicros() + " " + has.periodMicros() + " " + has.burstMicros()));
    Path fresh = to.resolveSibling(to.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    OwnerOnly.makeDirectory(to.toAbsolutePath().getParent());
    try (OutputStream out =
        Channels.newOutputStream(
            OwnerOnly.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      properties.store(out, "Quota, period and burst that cgroups had, in microseconds.");
    }
    Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
  }
}
