/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The number of processes and threads of one cgroup and everything below it, and its limit, at
 * which forks fail (the kernel's process number controller). A limit below the number ends nothing.
 */
public final class ProcessCount {
  private static final String UNLIMITED = "max";

  private final Path number;
  private final Path limit;

  /**
   * Creates an instance without touching the cgroup.
   *
   * @param cgroup its directory in the hierarchy with the pids controller
   * @param version the version whose file names it uses
   */
  public ProcessCount(Path cgroup, CgroupVersion version) {
    this.number = CgroupFile.PROCESS_COUNT.path(cgroup, version);
    this.limit = CgroupFile.PROCESS_LIMIT.path(cgroup, version);
  }

  /**
   * Returns the number of processes and threads.
   *
   * @throws IOException naming the file that cannot be read
   */
  public long current() throws IOException {
    return parse(number, CgroupDirectories.read(number));
  }

  /**
   * Returns the limit; empty if there is none, as in the root cgroup.
   *
   * @throws IOException naming the file that cannot be read
   */
  public OptionalLong limit() throws IOException {
    String text = CgroupDirectories.readIfPresent(limit).orElse(UNLIMITED);
    return text.equals(UNLIMITED) ? OptionalLong.empty() : OptionalLong.of(parse(limit, text));
  }

  /**
   * Returns the number that a file of the kernel holds.
   *
   * @throws IOException naming the file, if the text is no number
   */
  public static long parse(Path file, String text) throws IOException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds '" + text + "', which is not a number", e);
    }
  }

  /** Returns why the limit cannot be set, with the cure; empty if it can be. */
  public Optional<String> unavailable() {
    return Files.isWritable(limit)
        ? Optional.empty()
        : Optional.of(
            limit
                + " does not exist or cannot be written: mount the pids controller, or let the"
                + " NodeManager's user write there");
  }

  /**
   * Sets the limit.
   *
   * @param threads at least 0
   * @return the value now in force, as file=value
   * @throws IOException naming the file; the previous value then stays in force
   */
  public String limit(long threads) throws IOException {
    write(Long.toString(threads));
    return limit.getFileName() + "=" + threads;
  }

  /**
   * Removes the limit if there is one; does nothing if the cgroup is gone.
   *
   * @throws IOException naming the file and how to remove the limit by hand
   */
  public void unlimit() throws IOException {
    try {
      if (limit().isPresent()) {
        write(UNLIMITED);
      }
    } catch (IOException e) {
      throw new IOException(
          "the limit of processes may still be in force: %s; to remove it: echo %s > %s"
              .formatted(e.getMessage(), UNLIMITED, limit),
          e);
    }
  }

  private void write(String value) throws IOException {
    try {
      CgroupDirectories.write(limit, value);
    } catch (IOException e) {
      throw new IOException("cannot write " + value + " into " + limit + ": " + e, e);
    }
  }
}
