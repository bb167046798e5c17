/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

/** Notified before a container is killed, so that its end is attributed. */
@FunctionalInterface
public interface KillListener {
  /**
   * Handles a kill that is about to happen.
   *
   * @param mechanism the mechanism that wants it
   * @param containerId the victim
   * @param reason the measured value and the threshold
   */
  void aboutToKill(String mechanism, String containerId, String reason);

  /** Handles a failed kill: a later end of the container has another cause. */
  default void notKilled(String containerId) {}
}
