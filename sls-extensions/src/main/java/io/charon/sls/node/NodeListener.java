/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/** Receives the events of a node, for the heartbeat of its NodeManager. */
public interface NodeListener {
  /** Called when a container starts to run. */
  void started(ContainerPlan plan);

  /**
   * Called when a container has ended and its memory is free.
   *
   * @param plan the container
   * @param end the reason of its end
   * @param cause cause of a kill; empty otherwise
   * @param workDoneNanos work that it did, in nanoseconds of an undisturbed run
   */
  void ended(ContainerPlan plan, End end, String cause, double workDoneNanos);

  /** Called when a waiting container was stopped before it ran. */
  void withdrawn(ContainerPlan plan);

  /** Called when a waiting container lost its place in a full queue to another container. */
  void displaced(ContainerPlan plan);

  /** Called when a container waited for too long and is handed back. */
  void handedBack(ContainerPlan plan);

  /** The reason of a container's end. */
  enum End {
    /** The work is done. */
    COMPLETED,
    /** The container was killed for memory. */
    KILLED,
    /** The application does not need the container any more. */
    STOPPED
  }
}
