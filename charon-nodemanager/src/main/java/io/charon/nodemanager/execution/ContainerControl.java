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

/** Controls single containers of this node. Thread-safe. */
public interface ContainerControl {
  /** Sends the signals that end a container. */
  interface Killer {
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

  /** Returns what ends the containers. */
  Killer killer();

  /** Returns why no container can be frozen here, with the cure; empty if they can. */
  Optional<String> cannotFreeze();

  /**
   * Returns whether a container is frozen.
   *
   * @throws IOException if that cannot be found out
   */
  boolean isFrozen(String containerId) throws IOException;

  /**
   * Stops all processes of a container.
   *
   * @throws IOException if it cannot be frozen
   */
  void freeze(String containerId) throws IOException;

  /**
   * Lets a frozen container continue; has no effect on others.
   *
   * @throws IOException if it cannot be thawed
   */
  void thaw(String containerId) throws IOException;

  /**
   * Reclaims memory from a frozen container; may take seconds.
   *
   * @param bytes maximum amount, bytes
   * @param stillWanted whether reclaim is still wanted
   * @return bytes that went to swap
   * @throws IOException if memory cannot be reclaimed
   */
  long reclaim(String containerId, long bytes, BooleanSupplier stillWanted) throws IOException;

  /**
   * Returns the control of a real node's containers.
   *
   * @param freezer freezes containers; empty if they have no cgroups
   * @param killer kills containers
   */
  static ContainerControl of(Optional<ContainerFreezer> freezer, Killer killer) {
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
      public long reclaim(String containerId, long bytes, BooleanSupplier stillWanted)
          throws IOException {
        return present().reclaim(containerId, bytes, stillWanted);
      }

      @Override
      public Killer killer() {
        return killer;
      }
    };
  }
}
