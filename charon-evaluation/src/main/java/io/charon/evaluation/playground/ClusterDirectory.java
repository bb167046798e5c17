/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The directory by which commands find a cluster.
 *
 * @param path absolute
 */
public record ClusterDirectory(Path path) {
  private static final int WRITABLE_BY_OTHERS = 0022;

  /** The directory that the user named. */
  public static ClusterDirectory of(Path given) {
    return new ClusterDirectory(given.toAbsolutePath().normalize());
  }

  /** What the supervisor says. */
  public Path log() {
    return path.resolve("cluster.log");
  }

  /** What clients of the cluster read, such as {@code HADOOP_CONF_DIR} names. */
  public Path configuration() {
    return path.resolve("conf");
  }

  /** The state of its cluster. */
  public StateFile state() throws IOException {
    return new StateFile(path.resolve("cluster.json"), userId());
  }

  /**
   * Makes it, for this user alone, if it is not there.
   *
   * @throws IOException if it cannot be made, or {@link #requireOwn} fails
   */
  void create() throws IOException {
    if (!Files.exists(path)) {
      Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    requireOwn();
  }

  /**
   * Fails if somebody else may put files here: what they say is followed.
   *
   * @throws IOException with the cure
   */
  public void requireOwn() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    int owner = (int) Files.getAttribute(path, "unix:uid");
    if (owner != userId()) {
      throw new IOException(
          "%s belongs to user number %d, and you are %d: name a directory of your own by --directory, or be that user"
              .formatted(path, owner, userId()));
    }
    if (((int) Files.getAttribute(path, "unix:mode") & WRITABLE_BY_OTHERS) != 0) {
      throw new IOException(
          "%s may be written by others than you: chmod go-w %s, or name another directory by --directory"
              .formatted(path, path));
    }
  }

  /** Removes what commands wrote here, and the directory if nothing else is in it. */
  void remove() throws IOException {
    removeConfiguration();
    Files.deleteIfExists(log());
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException theUsers) {
      // What else is in it is not ours.
    }
  }

  /** Removes the clients' configuration. */
  void removeConfiguration() throws IOException {
    if (Files.isDirectory(configuration())) {
      try (var files = Files.list(configuration())) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(configuration());
    }
  }

  /** The last lines of {@link #log()}; none if there is no log. */
  List<String> tail(int lines) throws IOException {
    if (!Files.isReadable(log())) {
      return List.of();
    }
    List<String> all = Files.readAllLines(log());
    return all.subList(Math.max(0, all.size() - lines), all.size());
  }

  private static int userId() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
