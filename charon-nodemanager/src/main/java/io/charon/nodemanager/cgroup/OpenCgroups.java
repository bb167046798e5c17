/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of cgroups that are read again and again. They stay open, because finding a file by its
 * path takes the kernel longer than most readings. Not thread-safe.
 *
 * @param <F> the files of one cgroup; opening them again after the cgroup was removed and created
 *     is up to them
 */
public final class OpenCgroups<F extends Closeable> implements Closeable {
  /**
   * Cgroups whose files stay open (our choice): each file takes a descriptor, and 4 KiB in the
   * kernel. The files of further cgroups are opened for each reading.
   */
  private static final int MAX_OPEN = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(OpenCgroups.class);

  private final Function<Path, F> files;
  private final Map<Path, F> open = new HashMap<>();

  /** Reads the files of one cgroup. */
  @FunctionalInterface
  public interface Reading<F, V> {
    V of(F files) throws IOException;
  }

  /**
   * Creates an instance without any cgroup.
   *
   * @param files returns the files of a cgroup, without touching them
   */
  public OpenCgroups(Function<Path, F> files) {
    this.files = files;
  }

  /** Reads a cgroup. */
  public <V> V read(Path cgroup, Reading<F, V> reading) throws IOException {
    if (open.size() < MAX_OPEN || open.containsKey(cgroup)) {
      return reading.of(open.computeIfAbsent(cgroup, files));
    }
    try (F once = files.apply(cgroup)) {
      return reading.of(once);
    }
  }

  /** Closes the files of a cgroup. */
  public void forget(Path cgroup) {
    F files = open.remove(cgroup);
    if (files != null) {
      close(files);
    }
  }

  /** Closes the files of all other cgroups. */
  public void retain(Set<Path> present) {
    open.entrySet()
        .removeIf(
            entry -> {
              if (present.contains(entry.getKey())) {
                return false;
              }
              close(entry.getValue());
              return true;
            });
  }

  private static void close(Closeable files) {
    try {
      files.close();
    } catch (IOException e) {
      LOG.debug("cannot close the files of a cgroup", e);
    }
  }

  @Override
  public void close() {
    retain(Set.of());
  }
}
