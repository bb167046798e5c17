/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.execution.ContainerKiller;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.util.List;
import java.util.Map;

/** YARN as the agent sees it. Safe for many threads; nothing but a kill may block. */
public interface YarnSide extends ContainerKiller {
  /** First process of each container that runs and has one, by container id. */
  Map<String, Long> rootProcesses();

  /**
   * The best-effort containers in YARN's queue, in order of arrival; asked where stock YARN decides
   * about them and Charon observes. One that starts at this moment may be among them.
   */
  List<ContainerInfo> waiting();

  /** Where a container is in YARN's eyes; asked where it may be frozen. */
  Phase phase(String containerId);

  /** Makes who knows what applications are called; asked at most once, and closed by the agent. */
  ApplicationDirectory applications();
}
