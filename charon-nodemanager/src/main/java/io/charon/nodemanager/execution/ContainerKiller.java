/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import java.io.IOException;

/** Sends the signals that end a container. */
public interface ContainerKiller {
  /**
   * Sends SIGKILL to every process of a container; returns before they have ended.
   *
   * @param containerId the victim
   * @throws IOException if the signal could not be sent
   */
  void kill(String containerId) throws IOException;

  /**
   * Sends SIGTERM to a container, which may then end by itself. The default implementation kills
   * it.
   *
   * @param containerId the victim
   * @throws IOException if the signal could not be sent
   */
  default void terminate(String containerId) throws IOException {
    kill(containerId);
  }
}
