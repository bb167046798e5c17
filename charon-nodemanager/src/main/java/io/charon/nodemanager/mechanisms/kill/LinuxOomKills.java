/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.OomCounts;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.execution.ActionExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The containers of which Linux's OOM killer killed a process for a limit that is not their own,
 * such as best-effort's. Linux kills one process; the rest of the container would hold its memory
 * and its place, and nobody would know why it no longer works. On cgroup v2 the kernel is told to
 * end best-effort containers as a whole; where it did not, the rest is ended here. Thread-safe.
 */
public final class LinuxOomKills {
  private static final String NAME = KillLog.Killer.LINUX_OOM.mechanism();

  /**
   * What is known of a container.
   *
   * @param counts the last reading with another number of kills than the one before
   * @param killed whether Linux has killed one of its processes for a limit that is not its own
   * @param pending whether the rest of the container may have to be ended for it
   */
  private record Known(OomCounts counts, boolean killed, boolean pending) {
    static Known of(OomCounts counts) {
      return new Known(counts, false, false);
    }

    /** A container that reached its own limit meanwhile counts as killed for that. */
    Known read(OomCounts now) {
      if (now.kills() == counts.kills()) {
        return this;
      }
      boolean fromAbove = now.killedFromAboveSince(counts);
      return new Known(now, killed || fromAbove, pending || fromAbove);
    }

    Known settled() {
      return new Known(counts, killed, false);
    }
  }

  private final ContainerCgroups cgroups;
  private final ContainerLedger ledger;
  private final ActionExecutor executor;
  private final KillBookkeeper kills;
  private final Supplier<RegulatorMode> mode;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * Creates an instance that knows no container.
   *
   * @param cgroups the cgroups of containers, which count the kills
   * @param ledger the running containers
   * @param executor ends the rest of containers
   * @param kills notified of containers that end after such a kill
   * @param mode the mode of best-effort's memory limit
   */
  public LinuxOomKills(
      ContainerCgroups cgroups,
      ContainerLedger ledger,
      ActionExecutor executor,
      KillBookkeeper kills,
      Supplier<RegulatorMode> mode) {
    this.cgroups = cgroups;
    this.ledger = ledger;
    this.executor = executor;
    this.kills = kills;
    this.mode = mode;
  }

  /**
   * Handles a container whose cgroup exists and whose first process does not. The cgroup may be one
   * that an earlier launch under the same id left.
   */
  public void starting(ContainerInfo container) {
    String id = container.containerId();
    known.put(id, Known.of(cgroups.oomCounts(id)));
    if (container.containerClass() == ContainerClass.BEST_EFFORT) {
      setGroup(container);
    }
  }

  /**
   * Handles a container that an earlier NodeManager placed: all kills since then count.
   *
   * @param placed whether its cgroup exists
   */
  public void reacquired(ContainerInfo container, boolean placed) {
    String id = container.containerId();
    if (cgroups.wasKilledByLinux(id)) {
      kills.killedByLinux(id);
    }
    if (placed) {
      known.put(id, Known.of(OomCounts.none()));
    }
  }

  /**
   * Handles a container that was moved to the cgroup of another class: what happened in the former
   * class is no reason to end it.
   */
  public void changed(ContainerInfo container) {
    setGroup(container);
    known.computeIfPresent(
        container.containerId(), (id, before) -> before.read(cgroups.oomCounts(id)).settled());
  }

  /** Some processes of a promoted container may still be in its best-effort cgroup. */
  private void setGroup(ContainerInfo container) {
    boolean whole = container.containerClass() == ContainerClass.BEST_EFFORT;
    if (!whole || mode.get() == RegulatorMode.ENFORCE) {
      cgroups.setOomGroup(container.containerId(), whole);
    }
  }

  /**
   * Ends the rest of best-effort containers of which Linux killed a process. ApplicationMasters are
   * left alone, because their end would restart the whole job.
   */
  public void tick() {
    RegulatorMode now = mode.get();
    if (now == RegulatorMode.OFF) {
      return;
    }
    ledger.entries().stream()
        .filter(entry -> entry.isBestEffort() && !entry.info().applicationMaster())
        .filter(entry -> !entry.stopped())
        .map(entry -> entry.info().containerId())
        .filter(this::isPending)
        .forEach(id -> end(id, now));
  }

  /** A container without processes has ended, which YARN is about to find out. */
  private boolean isPending(String containerId) {
    Known read = read(containerId);
    return read != null
        && read.pending()
        && !executor.isDying(containerId)
        && !cgroups.processes(containerId).isEmpty();
  }

  private Known read(String containerId) {
    return known.computeIfPresent(containerId, (id, before) -> before.read(cgroups.oomCounts(id)));
  }

  private void end(String containerId, RegulatorMode now) {
    Basis basis =
        new Basis(
            "the job of the container, which may wait for the killed process",
            Map.of("oomKills", (double) cgroups.oomCounts(containerId).kills()),
            0,
            NAME,
            KillBookkeeper.BY_LINUX + ", which killed one of its processes and left others");
    if (executor.perform(NAME, now, new Action.Kill(containerId, List.of(), basis)).done()) {
      known.computeIfPresent(containerId, (id, before) -> before.settled());
    }
  }

  /** Attributes the end of a container whose processes have ended and whose cgroup exists. */
  public void stopped(String containerId) {
    Known last = read(containerId);
    known.remove(containerId);
    if (last != null && last.killed()) {
      kills.killedByLinux(containerId);
    }
  }
}
