/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** One way to end a container that thrashes. */
interface KillVariant {
  /** Its name in tables and JSON. */
  String name();

  /** How long a victim is given to die, counted from its start. */
  Duration timeout();

  /** Sets the killer up in the cell. */
  Session open() throws IOException, InterruptedException;

  /** The killer at work, for some victims one after the other. */
  interface Session {
    /** Memory that the killer itself needs inside the cell: the limit is raised by it. */
    default int megabytesInCell() {
      return 0;
    }

    /** Whether the killer itself has died, as one that lives inside the cell may. */
    default boolean isBroken() {
      return false;
    }

    /** Puts a container under the killer's eyes. Its first process runs already, or soon will. */
    void watch(MemoryContainer victim, long processId) throws IOException, InterruptedException;

    /**
     * The times of the kill of a victim that is gone, whoever ended it.
     *
     * @return empty if it was not this killer
     */
    Optional<KillTimes> times(MemoryContainer victim, KillObserver observer)
        throws IOException, InterruptedException;

    /** Takes the killer away again. */
    void end() throws IOException, InterruptedException;
  }
}
