/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

/** Told before a container is killed, so that its end is attributed. */
@FunctionalInterface
public interface KillListener {
  /**
   * A container is about to be killed.
   *
   * @param mechanism who wants it
   * @param containerId the victim
   * @param reason the measured value and the threshold
   */
  void aboutToKill(String mechanism, String containerId, String reason);

  /** It could not be killed: its end, whenever that comes, is another one. */
  default void notKilled(String containerId) {}
}
