/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import java.io.IOException;
import java.util.Optional;

/** Stops a cluster and waits until nothing of it is left. */
public final class PlaygroundStop {
  /** Time limit, seconds: daemons, containers and the kernel UA killer take some seconds each. */
  private static final int LIMIT_SECONDS = 60;

  private static final long POLL_MILLIS = 100;

  private final Playground playground;
  private final ProgressLine waiting;

  /** The result of stopping. */
  public enum Outcome {
    /** A cluster ran and has ended. */
    STOPPED,
    /** No cluster ran, but leftovers of a killed supervisor were removed. */
    CLEANED_UP,
    /** No cluster ran. */
    NOTHING
  }

  /** Creates the stopper. */
  public PlaygroundStop(Playground playground, ProgressLine waiting) {
    this.playground = playground;
    this.waiting = waiting;
  }

  /**
   * Stops the cluster.
   *
   * @throws IOException if the cluster does not end in time; the message says what to do
   */
  public Outcome stop() throws IOException, InterruptedException {
    Optional<ClusterState> found = playground.state();
    if (found.isEmpty()) {
      return Outcome.NOTHING;
    }
    ClusterState state = found.get();
    boolean lived = playground.isAlive(state);
    if (lived) {
      ProcessHandle.of(state.supervisor().pid()).ifPresent(ProcessHandle::destroy);
      awaitEnd(state);
    }
    playground.removeLeftovers(state);
    playground.directory().remove();
    return lived ? Outcome.STOPPED : Outcome.CLEANED_UP;
  }

  private void awaitEnd(ClusterState state) throws IOException, InterruptedException {
    while (playground.isAlive(state)) {
      if (waiting.seconds() > LIMIT_SECONDS) {
        waiting.end();
        throw new IOException(
            "The cluster's process %d has not ended within %d s; %s says why. Run kill -9 %1$d, then stop again, which"
                    .formatted(
                        state.supervisor().pid(), LIMIT_SECONDS, playground.directory().log())
                + " removes its remains");
      }
      waiting.update("ending containers and daemons");
      Thread.sleep(POLL_MILLIS);
    }
    waiting.end();
  }
}
