/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What can be done to one container of this node. Thread-safe. */
public interface ContainerControl extends ContainerKiller {
  /** Why no container can be frozen here, with the cure; empty if they can. */
  Optional<String> cannotFreeze();

  /**
   * Whether a container stands still.
   *
   * @throws IOException if that cannot be found out
   */
  boolean isFrozen(String containerId) throws IOException;

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
   * @param goesOn whether that is still wanted
   * @return bytes that went to swap
   * @throws IOException if that cannot be
   */
  long reclaim(String containerId, long bytes, BooleanSupplier goesOn) throws IOException;

  /**
   * The containers of a real node.
   *
   * @param freezer freezes, where containers have cgroups
   * @param killer kills
   */
  static ContainerControl of(Optional<ContainerFreezer> freezer, ContainerKiller killer) {
    return new ContainerControl() {
      private ContainerFreezer present() throws IOException {
        return freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE));
      }

      @Override
      public Optional<String> cannotFreeze() {
        return freezer.map(ContainerFreezer::unavailable).orElse(Optional.of(CgroupLayout.NONE));
      }

      @Override
      public boolean isFrozen(String containerId) throws IOException {
        return freezer.isPresent() && present().isFrozen(containerId);
      }

      @Override
      public void freeze(String containerId) throws IOException {
        present().freeze(containerId);
      }

      @Override
      public void thaw(String containerId) throws IOException {
        if (freezer.isPresent()) {
          boolean unused = present().thaw(containerId);
        }
      }

      @Override
      public long reclaim(String containerId, long bytes, BooleanSupplier goesOn)
          throws IOException {
        return present().reclaim(containerId, bytes, goesOn);
      }

      @Override
      public void kill(String containerId) throws IOException {
        killer.kill(containerId);
      }

      @Override
      public void terminate(String containerId) throws IOException {
        killer.terminate(containerId);
      }
    };
  }
}
