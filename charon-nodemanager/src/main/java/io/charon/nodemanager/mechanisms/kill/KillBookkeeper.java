/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.LastKill;
import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the consequences of a kill on this node, whichever killer acted: the container's end is
 * attributed, launches are delayed if the kill was for memory, and the reason is kept for people.
 */
public final class KillBookkeeper
    implements KernelKillListener, ActionExecutor.KillListener, ContainerListener {
  /** Prefix of the reason of a kill by an operator's stop, which is not for memory. */
  public static final String BY_STOP = "an operator's stop: ";

  /** Prefix of the reason of a kill by Linux's own OOM killer, or of what it had left. */
  public static final String BY_LINUX = "the kernel's OOM killer";

  private static final double NANOS_PER_SECOND = 1e9;

  private static final Logger LOG = LoggerFactory.getLogger(KillBookkeeper.class);

  private final ContainerLedger ledger;
  private final LaunchControl launches;
  private final DyingContainers dying;
  private final NodeMetrics metrics;
  private final Audit audit;
  private final Clock clock;
  private final KillLog log = new KillLog();
  private final KillDelays delays;
  private final LongSupplier nanoClock;
  private volatile OptionalLong lastKillNanos = OptionalLong.empty();

  /**
   * Creates an empty bookkeeper.
   *
   * @param ledger the running containers
   * @param launches decides about launches, or would decide
   * @param dying containers that are ending
   * @param metrics the counters
   * @param audit receives kills that the executor does not carry out
   * @param clock for displayed times
   * @param nanoClock monotonic nanoseconds
   */
  public KillBookkeeper(
      ContainerLedger ledger,
      LaunchControl launches,
      DyingContainers dying,
      NodeMetrics metrics,
      Audit audit,
      Clock clock,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.launches = launches;
    this.dying = dying;
    this.metrics = metrics;
    this.audit = audit;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.delays = new KillDelays(metrics, nanoClock);
  }

  /** Returns the log of recent kills. */
  public KillLog log() {
    return log;
  }

  /** Returns when a container of this node was last killed, by any killer. */
  public LastKill lastKill() {
    return new LastKill(lastKillNanos);
  }

  @Override
  public void aboutToKill(String mechanism, String containerId, String reason) {
    KillLog.Killer by = KillLog.Killer.of(mechanism);
    delays.decided(containerId, lower(by));
    switch (by) {
      case STOP -> killedOtherwise(by, containerId, BY_STOP + reason);
      case EVICT_SATISFACTION -> killedOtherwise(by, containerId, reason);
      case FREEZE -> killed(by, containerId, "freeze before kill: " + reason, Optional.empty());
      default -> killed(by, containerId, reason, Optional.empty());
    }
  }

  @Override
  public void notKilled(String containerId) {
    ledger.spared(containerId);
  }

  /** Spares a container that became production: it is no longer to be ended. */
  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (container.executionType() == ExecutionType.GUARANTEED
        && dying.spare(container.containerId())) {
      ledger.spared(container.containerId());
    }
  }

  @Override
  public void signalling(String containerId) {
    delays.signalling(containerId);
  }

  /** Counts a container that YARN ends as dying, as if a killer had chosen it. */
  @Override
  public void signalled(String containerId, boolean placed) {
    delays.signalled(containerId);
    if (launches.isRunning(containerId)) {
      dying.add(containerId);
    }
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    delays.stopped(containerId);
    dying.remove(containerId);
  }

  @Override
  public void ended(String containerId) {
    delays.forget(containerId);
    dying.remove(containerId);
  }

  /**
   * Handles a container of which Linux's own OOM killer ended a process, unless another killer had
   * already chosen it.
   */
  public void killedByLinux(String containerId) {
    if (ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason).isPresent()) {
      return;
    }
    String reason = BY_LINUX + ", which killed one of its processes";
    killed(KillLog.Killer.LINUX_OOM, containerId, reason, Optional.empty());
    writeAuditLine(KillLog.Killer.LINUX_OOM, containerId, Map.of(), 0, reason);
  }

  @Override
  public void killed(String containerId, KernelKill kill) {
    LOG.warn("the kernel killed {}: {}", containerId, kill.reason());
    kill.nanosToLastSignal()
        .ifPresent(nanos -> metrics.killSignal("kernel").update(nanos, TimeUnit.NANOSECONDS));
    killed(KillLog.Killer.KERNEL, containerId, kill.reason(), Optional.of(kill));
    writeAuditLine(
        KillLog.Killer.KERNEL,
        containerId,
        Map.of(
            "thrashSeconds",
            kill.decision().trigger().nanos() / NANOS_PER_SECOND,
            "victimBytes",
            (double) kill.decision().victim().memoryBytes()),
        kill.decision().trigger().toleranceNanos() / NANOS_PER_SECOND,
        kill.reason());
  }

  /** Writes the audit line of a kill that the executor did not carry out. */
  private void writeAuditLine(
      KillLog.Killer by,
      String containerId,
      Map<String, Double> inputs,
      double limit,
      String reason) {
    audit.write(
        by.mechanism(),
        RegulatorMode.ENFORCE,
        new Basis("the node", inputs, limit, by.mechanism(), reason),
        "kill",
        containerId,
        "applied: killed");
  }

  @Override
  public void released(String containerId, KernelKill kill) {
    kill.nanosToFreed()
        .ifPresent(nanos -> metrics.killFreed("kernel").update(nanos, TimeUnit.NANOSECONDS));
    log.complete(containerId, kill);
  }

  private void killed(
      KillLog.Killer by, String containerId, String reason, Optional<KernelKill> kill) {
    ledger.killedForMemory(containerId, reason);
    entered(by, containerId, reason, kill);
    launches.killedForMemory();
  }

  private void killedOtherwise(KillLog.Killer by, String containerId, String reason) {
    ledger.killedOtherwise(containerId, reason);
    entered(by, containerId, reason, Optional.empty());
  }

  private void entered(
      KillLog.Killer by, String containerId, String reason, Optional<KernelKill> kill) {
    dying.killed(containerId);
    lastKillNanos = OptionalLong.of(nanoClock.getAsLong());
    metrics.kills(lower(by)).inc();
    log.add(new KillLog.Kill(clock.instant(), containerId, by, reason, kill));
  }

  private static String lower(KillLog.Killer killer) {
    return killer.name().toLowerCase(Locale.ROOT);
  }
}
