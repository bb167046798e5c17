/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What cgroups had before their first change, over a restart of the NodeManager where containers
 * outlive one. Each is kept before its change. For one thread.
 *
 * @param <T> what is kept of one
 */
public final class FoundValues<T> {
  private final Optional<Path> file;
  private final String title;
  private final Function<T, String> writer;
  private final Function<String, T> reader;
  private final SortedMap<Path, T> found = new TreeMap<>();
  private boolean read;

  /**
   * As an earlier NodeManager left them; nothing is read yet.
   *
   * @param file where they are kept; empty where no container outlives the NodeManager
   * @param title first line of the file, for people
   * @param writer a value in words, on one line
   * @param reader the same back; throws {@link IllegalArgumentException} or {@link
   *     IndexOutOfBoundsException} at what it cannot understand
   */
  public FoundValues(
      Optional<Path> file, String title, Function<T, String> writer, Function<String, T> reader) {
    this.file = file;
    this.title = title;
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * Those that are kept, by the directories of their cgroups.
   *
   * @throws IOException the first time, if what an earlier NodeManager left cannot be understood
   */
  public SortedMap<Path, T> all() throws IOException {
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
        found.put(Path.of(directory), reader.apply(properties.getProperty(directory)));
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
  public void keep(Path cgroup, T has) throws IOException {
    keep(Map.of(cgroup, has));
  }

  /**
   * Keeps what several cgroups have, by their directories.
   *
   * @throws IOException if it cannot be kept; then nothing must be changed
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
   * Forgets cgroups that have what they had, or are gone.
   *
   * @throws IOException if they stay in the file; that does no harm, the next change writes it anew
   */
  public void forget(Set<Path> cgroups) throws IOException {
    if (found.keySet().removeAll(cgroups)) {
      write();
    }
  }

  /** Gives a cgroup what it had. */
  @FunctionalInterface
  public interface Restore<T> {
    void putBack(Path cgroup, T had) throws IOException;
  }

  /**
   * Puts back what all have, and forgets them. Where that fails it is kept, for the next time.
   *
   * @param parents what stands in a file says which files are written: none but those of cgroups
   *     directly below these
   * @param restore does it for one
   * @param words what one had, for people who have to do it by hand
   * @throws IOException naming each that could not be put back, what it had, and why
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
        left.add("%s had %s: %s".formatted(cgroup, words.apply(entry.getValue()), e.getMessage()));
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
    Path fresh = to.resolveSibling(to.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    OwnerOnly.makeDirectory(to.toAbsolutePath().getParent());
    try (OutputStream out =
        Channels.newOutputStream(
            OwnerOnly.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      properties.store(out, title);
    }
    Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
  }
}
