/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a kill for memory means for the node, whoever killed: the container's end is attributed,
 * launches are delayed, and people can read why.
 */
public final class MemoryKills implements KernelKillListener {
  /** What the reason of a kill starts with that is not for memory. */
  public static final String BY_STOP = "an operator's stop: ";

  private static final Logger LOG = LoggerFactory.getLogger(MemoryKills.class);

  private final ContainerLedger ledger;
  private final LaunchGate gate;
  private final DyingContainers dying;
  private final NodeMetrics metrics;
  private final Clock clock;
  private final KillLog log = new KillLog();
  private final KillDelays delays;

  /**
   * Creates the books.
   *
   * @param ledger the containers that run
   * @param gate decides about launches, or would
   * @param dying whoever was killed
   * @param metrics the counters
   * @param clock for the times that people read
   * @param nanoClock monotonic nanoseconds
   */
  public MemoryKills(
      ContainerLedger ledger,
      LaunchGate gate,
      DyingContainers dying,
      NodeMetrics metrics,
      Clock clock,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.gate = gate;
    this.dying = dying;
    this.metrics = metrics;
    this.clock = clock;
    this.delays = new KillDelays(metrics, nanoClock);
  }

  /** The kills of the recent past. */
  public KillLog log() {
    return log;
  }

  /** How long those take that YARN carries out. */
  public KillDelays delays() {
    return delays;
  }

  /** The user-space killer is about to end a container. */
  public void killedByUserSpace(String containerId, String reason) {
    killedThroughYarn(KillRecord.Killer.USER_SPACE, containerId, reason);
  }

  /** The memory regulator is about to end a container. */
  public void killedByRegulator(String containerId, String reason) {
    LOG.warn("killing {}: {}", containerId, reason);
    killedThroughYarn(KillRecord.Killer.REGULATOR, containerId, reason);
  }

  /** A container that was frozen for too long is about to be ended. */
  public void killedByPause(String containerId, String reason) {
    LOG.warn("killing {}: {}", containerId, reason);
    killedThroughYarn(KillRecord.Killer.PAUSE, containerId, "pause before kill: " + reason);
  }

  /** An operator stops best-effort, and a container is about to be ended; memory is not short. */
  public void killedByStop(String containerId, String reason) {
    delays.decided(containerId, lower(KillRecord.Killer.STOP));
    entered(KillRecord.Killer.STOP, containerId, BY_STOP + reason, Optional.empty());
  }

  /** Linux's own OOM killer ended a process of a container. */
  public void killedByLinux(String containerId) {
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
        .ifPresent(nanos -> metrics.killSignal("kernel").update(nanos, TimeUnit.NANOSECONDS));
    killed(KillRecord.Killer.KERNEL, containerId, kill.reason(), Optional.of(kill));
  }

  @Override
  public void released(String containerId, KernelKill kill) {
    kill.nanosToFreed()
        .ifPresent(nanos -> metrics.killFreed("kernel").update(nanos, TimeUnit.NANOSECONDS));
    log.complete(containerId, kill);
  }

  private void killedThroughYarn(KillRecord.Killer by, String containerId, String reason) {
    delays.decided(containerId, lower(by));
    killed(by, containerId, reason, Optional.empty());
  }

  private void killed(
      KillRecord.Killer by, String containerId, String reason, Optional<KernelKill> kill) {
    entered(by, containerId, reason, kill);
    gate.killedForMemory();
  }

  private void entered(
      KillRecord.Killer by, String containerId, String reason, Optional<KernelKill> kill) {
    dying.add(containerId);
    metrics.kills(lower(by)).inc();
    ledger.killedForMemory(containerId, reason);
    log.add(new KillRecord(clock.instant(), containerId, by, reason, kill));
  }

  private static String lower(KillRecord.Killer killer) {
    return killer.name().toLowerCase(Locale.ROOT);
  }
}
