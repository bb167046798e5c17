/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.KernelProtection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the cluster of one directory for the commands. */
public final class Playground {
  private final StateDirectory directory;
  private final ProcessTable processes;
  private final Path root;

  /**
   * Creates a playground.
   *
   * @param root the repository, where the kernel UA killer is built
   */
  public Playground(StateDirectory directory, ProcessTable processes, Path root) {
    this.directory = directory;
    this.processes = processes;
    this.root = root;
  }

  /** Returns the directory of the cluster. */
  public StateDirectory directory() {
    return directory;
  }

  /**
   * Returns the cluster if its supervisor lives.
   *
   * @throws IOException if the directory or its state is not trusted or cannot be read
   */
  public Optional<ClusterState> living() throws IOException {
    return state().filter(this::isAlive);
  }

  /**
   * Returns the running cluster.
   *
   * @throws IOException if no cluster runs; the message says how to start one
   */
  public ClusterState running() throws IOException {
    ClusterState state =
        living()
            .orElseThrow(
                () ->
                    new IOException(
                        "No cluster runs in %s: bin/charon cluster start"
                            .formatted(directory.path())));
    if (state.address().isEmpty()) {
      throw new IOException("The cluster in %s is still starting".formatted(directory.path()));
    }
    return state;
  }

  /** Returns the recorded state, whether or not the supervisor lives. */
  Optional<ClusterState> state() throws IOException {
    directory.requireOwn();
    return directory.state().read();
  }

  /** Returns whether the supervisor of the last cluster ended without cleaning up. */
  public boolean wasKilled() throws IOException {
    return state().isPresent() && living().isEmpty();
  }

  boolean isAlive(ClusterState state) {
    return processes.isAlive(state.supervisor());
  }

  /**
   * Removes the leftovers of a killed supervisor.
   *
   * @throws IOException if the kernel UA killer cannot be unloaded, or a file cannot be removed
   */
  void removeLeftovers(ClusterState state) throws IOException, InterruptedException {
    // Another process may have this id by now; if it is another supervisor, the machine-wide names
    // are its own.
    boolean nameIsFree = processes.find(state.supervisor().pid()).isEmpty();
    try {
      if (nameIsFree) {
        // Before the cgroups are removed, because the killer's helper would create them again.
        KernelProtection.removeLeftover(root, state.machineName());
      }
    } finally {
      ClusterLeftovers.remove(
          state.workDirectory(),
          nameIsFree ? Optional.of("/" + state.machineName()) : Optional.empty());
    }
    directory.removeConfiguration();
    directory.state().remove(state);
  }
}
