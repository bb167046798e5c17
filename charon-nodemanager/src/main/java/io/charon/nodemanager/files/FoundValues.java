/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The original values of cgroups before their first change. They survive a restart of the
 * NodeManager where containers do. Each value is stored before the cgroup is changed. Not
 * thread-safe.
 *
 * @param <T> the type of the original value of one cgroup
 */
public final class FoundValues<T> {
  private final Optional<Path> file;
  private final String title;
  private final Function<T, String> writer;
  private final Function<String, T> reader;
  private final SortedMap<Path, T> found = new TreeMap<>();
  private boolean read;

  /**
   * Creates the store; the values of an earlier NodeManager are read later.
   *
   * @param file where the values are stored; empty where no container survives a restart
   * @param title first line of the file, for readers
   * @param writer converts a value to words on one line
   * @param reader converts the words back; throws {@link IllegalArgumentException} or {@link
   *     IndexOutOfBoundsException} if they are malformed
   */
  public FoundValues(
      Optional<Path> file, String title, Function<T, String> writer, Function<String, T> reader) {
    this.file = file;
    this.title = title;
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * Returns the stored values by the directories of their cgroups, in the order of the directories.
   *
   * @throws IOException if the file of an earlier NodeManager cannot be read; it is read again by
   *     the next call, and not replaced until then. On the first call also if it cannot be parsed;
   *     then it has been moved aside, and the store is empty
   */
  public Map<Path, T> all() throws IOException {
    if (!read) {
      if (file.isPresent()) {
        found.putAll(read(file.get()));
      }
      read = true;
    }
    return new LinkedHashMap<>(found);
  }

  private Map<Path, T> read(Path from) throws IOException {
    Map<Path, T> earlier = new TreeMap<>();
    Properties properties = new Properties();
    try (InputStream in = Channels.newInputStream(OwnerOnly.open(from, StandardOpenOption.READ))) {
      properties.load(in);
      for (String directory : properties.stringPropertyNames()) {
        earlier.put(Path.of(directory), reader.apply(properties.getProperty(directory)));
      }
      return earlier;
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      Path aside = OwnerOnly.setAside(from);
      read = true;
      throw new IOException(
          "%s cannot be parsed and was moved to %s: %s".formatted(from, aside, e.getMessage()), e);
    }
  }

  /**
   * Stores the value of a cgroup.
   *
   * @throws IOException if it cannot be stored; then the cgroup must not be changed
   */
  public void keep(Path cgroup, T has) throws IOException {
    keep(Map.of(cgroup, has));
  }

  /**
   * Stores the values of several cgroups by their directories.
   *
   * @throws IOException if they cannot be stored; then no cgroup must be changed
   */
  public void keep(Map<Path, T> fresh) throws IOException {
    Map<Path, T> before = all();
    found.putAll(fresh);
    if (!found.equals(before)) {
      try {
        write();
      } catch (IOException e) {
        found.clear();
        found.putAll(before);
        throw e;
      }
    }
  }

  /**
   * Removes cgroups that have their original values again or no longer exist.
   *
   * @throws IOException if they stay in the file, which is harmless: the next change rewrites it
   */
  public void forget(Set<Path> cgroups) throws IOException {
    if (found.keySet().removeAll(cgroups)) {
      write();
    }
  }

  /**
   * Removes cgroups that no longer exist, so that the store does not grow with every container.
   *
   * @param maybe the cgroups that may have ended; only these are checked
   * @throws IOException as {@link #forget} does
   */
  public void forgetEnded(Predicate<Path> maybe) throws IOException {
    forget(
        all().keySet().stream()
            .filter(maybe)
            .filter(cgroup -> !Files.isDirectory(cgroup))
            .collect(Collectors.toSet()));
  }

  /** Restores the original value of a cgroup. */
  @FunctionalInterface
  public interface Restore<T> {
    void putBack(Path cgroup, T had) throws IOException;
  }

  /**
   * Restores all original values and removes them from the store. A value that cannot be restored
   * is kept for the next attempt.
   *
   * @param parents only cgroups directly below these are written, because the file determines which
   *     paths are written
   * @param restore restores the value of one cgroup
   * @param words describes a value, for operators who have to restore it by hand
   * @throws IOException naming each cgroup that could not be restored, its original value, and the
   *     cause
   */
  public void putBack(Collection<Path> parents, Restore<T> restore, Function<T, String> words)
      throws IOException {
    Set<Path> done = new HashSet<>();
    StringJoiner left = new StringJoiner("; ");
    for (Map.Entry<Path, T> entry : all().entrySet()) {
      Path cgroup = entry.getKey();
      try {
        if (parents.contains(cgroup.getParent())) {
          restore.putBack(cgroup, entry.getValue());
        }
        done.add(cgroup);
      } catch (IOException e) {
        left.add(
            "%s originally had %s: %s"
                .formatted(cgroup, words.apply(entry.getValue()), e.getMessage()));
      }
    }
    forget(done);
    if (left.length() > 0) {
      throw new IOException(left.toString());
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
    found.forEach((cgroup, has) -> properties.setProperty(cgroup.toString(), writer.apply(has)));
    OwnerOnly.makeDirectory(to.toAbsolutePath().getParent());
    OwnerOnly.replace(to, channel -> properties.store(Channels.newOutputStream(channel), title));
  }
}
