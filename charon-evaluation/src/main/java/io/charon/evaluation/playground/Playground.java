/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.Leftovers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The cluster of one directory, as the commands find it. */
public final class Playground {
  private final ClusterDirectory directory;
  private final ProcessTable processes;
  private final Path root;

  /**
   * Prepares to look.
   *
   * @param root the repository, where the kernel UA killer is built
   */
  public Playground(ClusterDirectory directory, ProcessTable processes, Path root) {
    this.directory = directory;
    this.processes = processes;
    this.root = root;
  }

  /** Where it is looked for. */
  public ClusterDirectory directory() {
    return directory;
  }

  /**
   * The cluster whose supervisor lives.
   *
   * @throws IOException if the directory or its state cannot be trusted or read
   */
  public Optional<ClusterState> living() throws IOException {
    return state().filter(this::lives);
  }

  /**
   * The cluster that runs.
   *
   * @throws IOException if none does, with the cure
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
      throw new IOException("The cluster in %s still starts".formatted(directory.path()));
    }
    return state;
  }

  /** What the directory says, whether its supervisor lives or not. */
  Optional<ClusterState> state() throws IOException {
    directory.requireOwn();
    return directory.state().read();
  }

  /** Whether the supervisor of the last cluster ended without cleaning up. */
  public boolean wasKilled() throws IOException {
    return state().isPresent() && living().isEmpty();
  }

  boolean lives(ClusterState state) {
    return processes.lives(state.supervisor());
  }

  /**
   * Removes what a supervisor left that was killed.
   *
   * @throws IOException if its kernel UA killer cannot be unloaded, or a file stays
   */
  void removeLeftovers(ClusterState state) throws IOException, InterruptedException {
    // Another cluster's process may have the number by now, and with it the names on this machine.
    boolean nameIsFree = processes.find(state.supervisor().pid()).isEmpty();
    Leftovers.remove(
        state.workDirectory(),
        nameIsFree ? Optional.of("/" + state.machineName()) : Optional.empty());
    if (nameIsFree) {
      KernelProtection.removeLeftover(root, state.machineName());
    }
    directory.removeConfiguration();
    directory.state().remove(state);
  }
}
