/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.mechanisms.freeze.PauseActions;
import java.io.IOException;
import java.util.Optional;

/** What a stop does to a container. */
interface StopActions {
  /** Why no container can be frozen here, with the cure; empty if they can. */
  Optional<String> cannotFreeze();

  boolean isFrozen(String containerId) throws IOException;

  void freeze(String containerId) throws IOException;

  void thaw(String containerId) throws IOException;

  /**
   * Ends a container, as Charon's killers do.
   *
   * @throws IOException if the signal could not be sent
   */
  void kill(String containerId, String reason) throws IOException;

  /**
   * The actions of a real node.
   *
   * @param freezer freezes, where containers have cgroups
   * @param kill sends the signal
   */
  static StopActions of(Optional<ContainerFreezer> freezer, PauseActions.Kill kill) {
    return new StopActions() {
      @Override
      public Optional<String> cannotFreeze() {
        return freezer.map(ContainerFreezer::unavailable).orElse(Optional.of(CgroupLayout.NONE));
      }

      @Override
      public boolean isFrozen(String containerId) throws IOException {
        return freezer.isPresent() && freezer.get().isFrozen(containerId);
      }

      @Override
      public void freeze(String containerId) throws IOException {
        freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE)).freeze(containerId);
      }

      @Override
      public void thaw(String containerId) throws IOException {
        if (freezer.isPresent()) {
          boolean unused = freezer.get().thaw(containerId);
        }
      }

      @Override
      public void kill(String containerId, String reason) throws IOException {
        kill.kill(containerId, reason);
      }
    };
  }
}
