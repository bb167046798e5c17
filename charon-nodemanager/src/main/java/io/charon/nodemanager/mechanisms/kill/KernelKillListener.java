/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

/**
 * Receives the kernel killer's kills on this node. Called under the lock of {@link
 * KernelKillerAdapter}; implementations must not block.
 */
public interface KernelKillListener {
  /**
   * Handles a kill; the container is ending. Called once for each victim.
   *
   * @param containerId the victim
   * @param kill the data that explains the kill
   */
  void killed(String containerId, KernelKill kill);

  /**
   * Handles the release of a victim's memory. Called at most once for each victim, and only if a
   * helper observed the release.
   *
   * @param containerId the victim
   * @param kill the kill, now with its release
   */
  void released(String containerId, KernelKill kill);
}
