/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.nodemanager.cgroup.ContainerFreezer;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** What is done to containers on a live node. */
public interface PauseActions {
  /**
   * Stops all processes of a container.
   *
   * @throws IOException if that cannot be
   */
  void freeze(String containerId) throws IOException;

  /**
   * Lets a container go on; one that is not frozen stays as it is.
   *
   * @throws IOException if that cannot be
   */
  void thaw(String containerId) throws IOException;

  /**
   * Takes memory of a frozen container back; may take seconds.
   *
   * @param bytes how much at most
   * @param goesOn whether it is still frozen
   * @return bytes that went to swap
   * @throws IOException if that cannot be
   */
  long reclaim(String containerId, long bytes, BooleanSupplier goesOn) throws IOException;

  /**
   * Kills a container, which is named as killed for memory first; returns before it is gone.
   *
   * @param reason the measured value and the threshold
   * @throws IOException if the signal could not be sent
   */
  void kill(String containerId, String reason) throws IOException;

  /** How a kill is carried out. */
  @FunctionalInterface
  interface Kill {
    /** As of {@link PauseActions#kill}. */
    void kill(String containerId, String reason) throws IOException;
  }

  /** The actions of a real node. */
  static PauseActions of(ContainerFreezer freezer, Kill kill) {
    return new PauseActions() {
      @Override
      public void freeze(String containerId) throws IOException {
        freezer.freeze(containerId);
      }

      @Override
      public void thaw(String containerId) throws IOException {
        freezer.thaw(containerId);
      }

      @Override
      public long reclaim(String containerId, long bytes, BooleanSupplier goesOn)
          throws IOException {
        return freezer.reclaim(containerId, bytes, goesOn);
      }

      @Override
      public void kill(String containerId, String reason) throws IOException {
        kill.kill(containerId, reason);
      }
    };
  }

  /** Actions that do nothing, for mode observe. */
  static PauseActions none() {
    return new PauseActions() {
      @Override
      public void freeze(String containerId) {}

      @Override
      public void thaw(String containerId) {}

      @Override
      public long reclaim(String containerId, long bytes, BooleanSupplier goesOn) {
        return 0;
      }

      @Override
      public void kill(String containerId, String reason) {}
    };
  }
}
