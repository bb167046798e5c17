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
 * The file by which commands find a cluster. It is written under another name first, so that it is
 * either complete or absent.
 */
public final class StateFile {
  private final Path file;
  private final int userId;

  /**
   * Creates an object for a file without accessing it.
   *
   * @param file a file in a directory where no other user may write
   * @param userId id of the user that must own the file
   */
  StateFile(Path file, int userId) {
    this.file = file;
    this.userId = userId;
  }

  /**
   * Reads the state.
   *
   * @return empty if there is no such file
   * @throws IOException if the file belongs to another user or holds no state; the message names
   *     the file and says how to fix it
   */
  public Optional<ClusterState> read() throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a file: remove it, or name another --directory");
    }
    int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != userId) {
      throw new IOException(
          "%s belongs to user number %d, and you are user %d: it is ignored. Run the command as that user, or name another --directory"
              .formatted(file, owner, userId));
    }
    try {
      return Optional.of(StateJson.parse(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s was not written by 'charon cluster start' (%s). If it has no running cluster, remove it"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /**
   * Writes the state of a starting cluster.
   *
   * @throws FileAlreadyExistsException if there is a state already
   */
  void claim(ClusterState state) throws IOException {
    Path prepared = prepare(state);
    try {
      Files.createLink(file, prepared);
    } finally {
      Files.delete(prepared);
    }
  }

  /** Replaces the state of the cluster that has claimed the file. */
  void replace(ClusterState state) throws IOException {
    Files.move(prepare(state), file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes the file if it still holds the state of this cluster. */
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
