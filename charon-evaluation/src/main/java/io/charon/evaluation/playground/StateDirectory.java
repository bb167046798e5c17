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
 * The directory in which commands find a cluster.
 *
 * @param path absolute path
 */
public record StateDirectory(Path path) {
  private static final int WRITABLE_BY_OTHERS = 0022;

  /** Returns the directory at a path given by the user. */
  public static StateDirectory of(Path given) {
    return new StateDirectory(given.toAbsolutePath().normalize());
  }

  /** Returns the log of the supervisor. */
  public Path log() {
    return path.resolve("cluster.log");
  }

  /**
   * Returns the configuration directory of the cluster's clients, as {@code HADOOP_CONF_DIR} names
   * it.
   */
  public Path configuration() {
    return path.resolve("conf");
  }

  /** Returns the state file of the cluster. */
  public StateFile state() throws IOException {
    return new StateFile(path.resolve("cluster.json"), userId());
  }

  /**
   * Creates the directory, accessible only to this user, if it does not exist.
   *
   * @throws IOException if it cannot be created, or {@link #requireOwn} fails
   */
  void create() throws IOException {
    if (!Files.exists(path)) {
      Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    requireOwn();
  }

  /**
   * Fails if another user owns the directory or may write in it, because commands trust its files.
   *
   * @throws IOException if so; the message says how to fix it
   */
  public void requireOwn() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    int owner = (int) Files.getAttribute(path, "unix:uid");
    if (owner != userId()) {
      throw new IOException(
          "%s belongs to user number %d, and you are user %d: name a directory of your own with --directory, or run the command as that user"
              .formatted(path, owner, userId()));
    }
    if (((int) Files.getAttribute(path, "unix:mode") & WRITABLE_BY_OTHERS) != 0) {
      throw new IOException(
          "other users may write to %s: chmod go-w %s, or name another directory with --directory"
              .formatted(path, path));
    }
  }

  /** Removes the files that commands wrote here, and the directory if it is empty then. */
  void remove() throws IOException {
    removeConfiguration();
    Files.deleteIfExists(log());
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException theUsers) {
      // The remaining files are not Charon's.
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

  /** Returns the last lines of {@link #log()}; none if there is no log. */
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
