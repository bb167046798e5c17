/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.killer.KernelKill;
import io.charon.nodemanager.killer.KernelKillListener;
import io.charon.nodemanager.killer.KillLog;
import io.charon.nodemanager.killer.KillRecord;
import io.charon.nodemanager.launch.LaunchGate;
import io.charon.nodemanager.metrics.NodeMetrics;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a kill for memory means for the node, whoever killed: the container's end is attributed,
 * launches are delayed, and people can read why.
 */
final class MemoryKills implements KernelKillListener {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryKills.class);

  private final ContainerLedger ledger;
  private final Optional<LaunchGate> gate;
  private final NodeMetrics metrics;
  private final Clock clock;
  private final KillLog log = new KillLog();

  /**
   * Creates the books.
   *
   * @param ledger the containers that run
   * @param gate decides about launches, if anybody does
   * @param metrics the counters
   * @param clock for the times that people read
   */
  MemoryKills(ContainerLedger ledger, Optional<LaunchGate> gate, NodeMetrics metrics, Clock clock) {
    this.ledger = ledger;
    this.gate = gate;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** The kills of the recent past. */
  KillLog log() {
    return log;
  }

  /** The user-space killer is about to end a container. */
  void killedByUserSpace(String containerId, String reason) {
    killed(KillRecord.Killer.USER_SPACE, containerId, reason, Optional.empty());
  }

  /** The memory regulator is about to end a container. */
  void killedByRegulator(String containerId, String reason) {
    LOG.warn("killing {}: {}", containerId, reason);
    killed(KillRecord.Killer.REGULATOR, containerId, reason, Optional.empty());
  }

  /** A container that was frozen for too long is about to be ended. */
  void killedByPause(String containerId, String reason) {
    LOG.warn("killing {}: {}", containerId, reason);
    killed(KillRecord.Killer.PAUSE, containerId, "pause before kill: " + reason, Optional.empty());
  }

  /** Linux's own OOM killer ended a process of a container. */
  void killedByLinux(String containerId) {
    killed(
        KillRecord.Killer.LINUX_OOM,
        containerId,
        "the kernel's OOM killer took one of its processes",
        Optional.empty());
  }

  @Override
  public void killed(String containerId, KernelKill kill) {
    LOG.warn("the kernel killed {}: {}", containerId, kill.reason());
    kill.nanosToLastSignal()
        .ifPresent(nanos -> metrics.killSignal().update(nanos, TimeUnit.NANOSECONDS));
    killed(KillRecord.Killer.KERNEL, containerId, kill.reason(), Optional.of(kill));
  }

  @Override
  public void released(String containerId, KernelKill kill) {
    kill.nanosToFreed()
        .ifPresent(nanos -> metrics.killRelease().update(nanos, TimeUnit.NANOSECONDS));
    log.complete(containerId, kill);
  }

  private void killed(
      KillRecord.Killer by, String containerId, String reason, Optional<KernelKill> kill) {
    ledger.killedForMemory(containerId, reason);
    gate.ifPresent(LaunchGate::killedForMemory);
    log.add(new KillRecord(clock.instant(), containerId, by, reason, kill));
  }
}
