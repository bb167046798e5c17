/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.util.List;
import java.util.Map;

/** YARN as the agent sees it. Thread-safe; only a kill may block. */
public interface YarnSide extends ContainerControl.Killer {
  /** Returns the first process of each running container that has one, by container id. */
  Map<String, Long> rootProcesses();

  /**
   * Returns the best-effort containers in YARN's queue, in the order of their arrival on the node;
   * called only where stock YARN decides about launches. A container that is just starting may be
   * included.
   */
  List<ContainerInfo> waiting();

  /** Returns the phase of a container in YARN's view; used where the container may be frozen. */
  Phase phase(String containerId);

  /** Creates the directory of applications; called at most once, and closed by the agent. */
  ApplicationDirectory applications();
}
