/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The file by which commands find a cluster. It is there or not, never half of it: it is written
 * beside its place first.
 */
public final class StateFile {
  private final Path file;
  private final int userId;

  /**
   * Names the file.
   *
   * @param file in a directory where nobody else may write
   * @param userId number of the user whose file it must be
   */
  StateFile(Path file, int userId) {
    this.file = file;
    this.userId = userId;
  }

  /**
   * Reads it.
   *
   * @return empty if there is no such file
   * @throws IOException if it is not this user's, or no state; the message names it and the cure
   */
  public Optional<ClusterState> read() throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is no file: remove it, or name another --directory");
    }
    int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != userId) {
      throw new IOException(
          "%s belongs to user number %d, and you are %d: it is not followed. Be that user, or name another --directory"
              .formatted(file, owner, userId));
    }
    try {
      return Optional.of(StateJson.parse(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s is not what 'charon cluster start' writes (%s). If no cluster of it runs, remove it"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /**
   * Writes the state of a cluster that begins.
   *
   * @throws FileAlreadyExistsException if another one has the place
   */
  void claim(ClusterState state) throws IOException {
    Path prepared = prepare(state);
    try {
      Files.createLink(file, prepared);
    } finally {
      Files.delete(prepared);
    }
  }

  /** Writes a new state of the cluster that has the place. */
  void replace(ClusterState state) throws IOException {
    Files.move(prepare(state), file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes it, if it is still of this cluster. */
  void remove(ClusterState state) throws IOException {
    if (read().filter(found -> found.supervisor().equals(state.supervisor())).isPresent()) {
      Files.deleteIfExists(file);
    }
  }

  private Path prepare(ClusterState state) throws IOException {
    Path prepared = Files.createTempFile(file.getParent(), ".cluster-", ".json");
    Files.writeString(prepared, StateJson.of(state));
    return prepared;
  }
}
