/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.mechanisms.kill.ContainerKiller;
import io.charon.nodemanager.mechanisms.kill.DyingContainers;
import io.charon.nodemanager.mechanisms.kill.MemoryKills;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The best-effort containers of a node as the memory regulator sees and ends them. */
public final class BestEffortContainers implements MemoryBound.Containers {
  private final Optional<LaunchGate> gate;
  private final ContainerLedger ledger;
  private final DyingContainers dying;
  private final MemoryKills kills;
  private final Supplier<ContainerKiller> killer;

  /**
   * The containers of a node.
   *
   * @param gate who runs, if Charon decides that
   * @param ledger what they use
   * @param dying whose memory is as good as free
   * @param kills told before each kill
   * @param killer carries it out
   */
  public BestEffortContainers(
      Optional<LaunchGate> gate,
      ContainerLedger ledger,
      DyingContainers dying,
      MemoryKills kills,
      Supplier<ContainerKiller> killer) {
    this.gate = gate;
    this.ledger = ledger;
    this.dying = dying;
    this.kills = kills;
    this.killer = killer;
  }

  @Override
  public List<MemoryBound.Container> oldestFirst() {
    return gate.map(LaunchGate::runningOldestFirst).orElse(List.of()).stream()
        .flatMap(id -> ledger.find(id).stream())
        .map(
            entry ->
                new MemoryBound.Container(
                    entry.info().containerId(),
                    entry.workingSetBytes(),
                    dying.contains(entry.info().containerId())))
        .toList();
  }

  @Override
  public void kill(String containerId, String reason) throws IOException {
    if (!dying.claim(containerId, List.of())) {
      throw new IOException("somebody else killed it a moment ago");
    }
    kills.killedByRegulator(containerId, reason);
    killer.get().kill(containerId);
  }
}
