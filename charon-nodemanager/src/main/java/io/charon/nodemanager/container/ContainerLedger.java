/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.ExecutionType;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The node's records of its running containers: current and highest working set, and kills. Updated
 * by the executor, the tick and the killers; thread-safe.
 */
public final class ContainerLedger {
  /**
   * The kill of a container.
   *
   * @param reason the measured value and the threshold, or the operator's order
   * @param forMemory whether it was for memory; otherwise for CPU time, or by an operator
   */
  public record Kill(String reason, boolean forMemory) {}

  /**
   * The record of one running container.
   *
   * @param info the container as YARN describes it
   * @param workingSet its working set at the last tick; 0 bytes before the first
   * @param peakBytes its highest working set so far
   * @param kill its kill; empty if it was not killed
   * @param stopped whether all its processes have ended
   */
  public record Entry(
      ContainerInfo info,
      WorkingSet workingSet,
      long peakBytes,
      Optional<Kill> kill,
      boolean stopped) {
    /** Returns whether it is a best-effort container. */
    public boolean isBestEffort() {
      return info.executionType() == ExecutionType.OPPORTUNISTIC;
    }

    /** Returns its working set in bytes. */
    public long workingSetBytes() {
      return workingSet.bytes();
    }

    /** Returns why it was killed; empty if it was not. */
    public Optional<String> killReason() {
      return kill.map(Kill::reason);
    }

    /** Returns whether it was killed for memory. */
    public boolean killedForMemory() {
      return kill.filter(Kill::forMemory).isPresent();
    }

    Entry measured(WorkingSet now) {
      return new Entry(info, now, Math.max(peakBytes, now.bytes()), kill, stopped);
    }

    Entry changed(ContainerInfo now) {
      return new Entry(now, workingSet, peakBytes, kill, stopped);
    }

    Entry killed(Optional<Kill> now) {
      return new Entry(info, workingSet, peakBytes, now, stopped);
    }

    Entry withoutProcesses() {
      return new Entry(info, workingSet, peakBytes, kill, true);
    }
  }

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private volatile Set<String> measured = Set.of();

  /**
   * Records a container that starts or was found running. The record of a running one is kept; one
   * whose processes have ended and that YARN starts again keeps its peak only.
   */
  public void started(ContainerInfo info) {
    entries.compute(
        info.containerId(),
        (id, known) ->
            known != null && !known.stopped()
                ? known
                : new Entry(
                    info,
                    WorkingSet.of(0),
                    known == null ? 0 : known.peakBytes(),
                    Optional.empty(),
                    false));
  }

  /**
   * Updates a container that was promoted, demoted or resized.
   *
   * @return whether it has processes; one that is unknown, or whose processes have ended, is
   *     ignored
   */
  public boolean changed(ContainerInfo info) {
    Entry now =
        entries.computeIfPresent(
            info.containerId(), (id, entry) -> entry.stopped() ? entry : entry.changed(info));
    return now != null && !now.stopped();
  }

  /** Records working sets measured by a tick, by container id; the others keep their last. */
  public void measured(Map<String, WorkingSet> workingSets) {
    measured = Set.copyOf(workingSets.keySet());
    workingSets.forEach(
        (containerId, now) ->
            entries.computeIfPresent(containerId, (id, entry) -> entry.measured(now)));
  }

  /**
   * Records that a container is being killed for memory.
   *
   * @param reason the measured value and the threshold
   */
  public void killedForMemory(String containerId, String reason) {
    killed(containerId, new Kill(reason, true));
  }

  /**
   * Records that a container is being killed, but not for memory.
   *
   * @param reason the measured value and the threshold, or the operator's order
   */
  public void killedOtherwise(String containerId, String reason) {
    killed(containerId, new Kill(reason, false));
  }

  private void killed(String containerId, Kill kill) {
    entries.computeIfPresent(containerId, (id, entry) -> entry.killed(Optional.of(kill)));
  }

  /** Withdraws the record of a kill, because the kill failed or was cancelled. */
  public void spared(String containerId) {
    entries.computeIfPresent(containerId, (id, entry) -> entry.killed(Optional.empty()));
  }

  /** Records that all processes of a container have ended; ignores unknown containers. */
  public void stopped(String containerId) {
    entries.computeIfPresent(containerId, (id, entry) -> entry.withoutProcesses());
  }

  /** Returns the record of a container. */
  public Optional<Entry> find(String containerId) {
    return Optional.ofNullable(entries.get(containerId));
  }

  /** Returns whether a container is known and its processes have not ended. */
  public boolean hasProcesses(String containerId) {
    return find(containerId).filter(entry -> !entry.stopped()).isPresent();
  }

  /** Removes and returns the record of a container that has ended. */
  public Optional<Entry> remove(String containerId) {
    return Optional.ofNullable(entries.remove(containerId));
  }

  /** Returns the records of all running containers. */
  public Collection<Entry> entries() {
    return entries.values();
  }

  /**
   * Returns the current working set of every best-effort container that the last tick measured,
   * bytes by container id: the last working set of another one would look as if it had settled.
   */
  public Map<String, Long> bestEffortWorkingSets() {
    Map<String, Long> bytes = new ConcurrentHashMap<>();
    entries.forEach(
        (containerId, entry) -> {
          if (entry.isBestEffort() && measured.contains(containerId)) {
            bytes.put(containerId, entry.workingSetBytes());
          }
        });
    return bytes;
  }

  /** Returns the sum of the last working sets of all best-effort containers, in bytes. */
  public long bestEffortBytes() {
    return entries.values().stream()
        .filter(Entry::isBestEffort)
        .mapToLong(Entry::workingSetBytes)
        .sum();
  }
}
