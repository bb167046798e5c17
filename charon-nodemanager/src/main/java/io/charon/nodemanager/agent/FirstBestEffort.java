/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import java.util.Optional;

/**
 * Has the node looked at when the first best-effort container starts: what is limited only while
 * best-effort runs is limited before that one holds much.
 */
final class FirstBestEffort implements ContainerListener {
  private final NodeLaunches launches;
  private final Runnable look;

  /**
   * Hears of containers after the launches did.
   *
   * @param launches know who runs
   * @param look must not block
   */
  FirstBestEffort(NodeLaunches launches, Runnable look) {
    this.launches = launches;
    this.look = look;
  }

  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    if (container.executionType() == ExecutionType.OPPORTUNISTIC
        && launches.gate().filter(gate -> gate.runningOldestFirst().size() == 1).isPresent()) {
      look.run();
    }
    return Optional.empty();
  }
}
