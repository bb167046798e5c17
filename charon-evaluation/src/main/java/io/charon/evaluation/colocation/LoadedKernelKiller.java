/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.UaKiller;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.KernelKillerSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The kernel killer of a node, loaded where this machine allows it.
 *
 * @param keys values of the keys by which the agent finds it
 * @param missing why there is none; empty if it is loaded
 */
record LoadedKernelKiller(Map<String, String> keys, Optional<String> missing) {
  /** Copies the keys. */
  LoadedKernelKiller {
    keys = Map.copyOf(keys);
  }

  /**
   * Loads the killer for a node, on which it may kill best-effort containers.
   *
   * @param name name of the killer on this machine
   * @param cleanup receives the action that unloads it
   */
  static LoadedKernelKiller load(
      String name, ColocatedNode node, NativeTools tools, Cleanup cleanup)
      throws InterruptedException {
    CgroupLayout layout = node.layout();
    UaKiller killer = UaKiller.of(tools.killer(), name, cleanup);
    try {
      killer.load();
      killer.startHelper();
      killer.run(
          "domain",
          "add",
          layout.nodeDirectory(layout.memory()).toString(),
          "--killable-below",
          layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT).toString());
      return new LoadedKernelKiller(
          Map.of(KernelKillerSettings.SOCKET, killer.socket().toString()), Optional.empty());
    } catch (IOException e) {
      return new LoadedKernelKiller(
          Map.of(KernelKillerSettings.ENABLED, "false"),
          Optional.of(e.getMessage().lines().findFirst().orElse("it cannot be loaded")));
    }
  }
}
