/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** One way to kill a container that thrashes. */
interface KillVariant {
  /** Returns the name in tables and JSON. */
  String name();

  /** Returns how long a victim is observed, from its start, before it counts as not killed. */
  Duration timeout();

  /** Sets up the killer in the cell. */
  Session open() throws IOException, InterruptedException;

  /** The running killer, for a sequence of victims. */
  interface Session {
    /**
     * Returns the memory that the killer itself needs inside the cell; the limit is raised by it.
     */
    default int megabytesInCell() {
      return 0;
    }

    /**
     * Returns whether the killer itself has been killed, which can happen to one inside the cell.
     */
    default boolean isBroken() {
      return false;
    }

    /** Makes the killer watch a container; its first process is running or about to start. */
    void watch(MemoryContainer victim, long processId) throws IOException, InterruptedException;

    /**
     * Returns the times of the kill of a victim that is gone, whatever ended it.
     *
     * @return empty if this killer did not kill the victim
     */
    Optional<KillTimes> times(MemoryContainer victim, KillObserver observer)
        throws IOException, InterruptedException;

    /** Removes the killer. */
    void end() throws IOException, InterruptedException;
  }
}
