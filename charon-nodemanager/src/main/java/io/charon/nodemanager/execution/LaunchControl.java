/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import java.util.List;
import java.util.Map;

/** Launches of best-effort containers, for mechanisms that hold them back or end containers. */
public interface LaunchControl {
  /** Returns whether a best-effort container was launched or adopted and has not ended. */
  boolean isRunning(String containerId);

  /** Returns the ids of the running best-effort containers, oldest first. */
  List<String> runningOldestFirst();

  /** Returns whether any container waits. */
  boolean anyWaiting();

  /** Handles the kill of a best-effort container for memory. */
  void killedForMemory();

  /**
   * Holds launches back for a reason, or no longer for this reason.
   *
   * @param reason FROZEN: frozen containers need the memory that becomes free; STOPPED: an operator
   *     stopped best-effort
   * @return whether this changed the state
   */
  boolean hold(LaunchVerdict.Reason reason, boolean hold);

  /**
   * Handles a reading of the node's memory that was taken just now.
   *
   * @return whether the first container of the queue may start now
   */
  boolean observed(NodeMemory memory, Map<String, Long> workingSetBytes);
}
