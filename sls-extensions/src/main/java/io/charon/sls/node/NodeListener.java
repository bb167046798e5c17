/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/** Who wants to know what happens on a node: its NodeManager's heartbeat. */
public interface NodeListener {
  /** A container runs. */
  void started(ContainerPlan plan);

  /**
   * A container is gone, and its memory with it.
   *
   * @param plan which
   * @param end why
   * @param cause of a kill, what killed it; else empty
   * @param workDoneNanos what it had done, nanoseconds of undisturbed run
   */
  void ended(ContainerPlan plan, End end, String cause, double workDoneNanos);

  /** A container that waited was told to stop before it ran. */
  void withdrawn(ContainerPlan plan);

  /** A container that waited gave its place in a full queue to another one. */
  void displaced(ContainerPlan plan);

  /** A container waited here for too long. */
  void handedBack(ContainerPlan plan);

  /** Why a container ended. */
  enum End {
    /** Its work is done. */
    COMPLETED,
    /** It was killed for memory. */
    KILLED,
    /** Its application does not need it any more. */
    STOPPED
  }
}
