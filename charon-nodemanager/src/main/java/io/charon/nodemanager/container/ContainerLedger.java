/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ExecutionType;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this node knows of the containers that run on it: current and highest working set, and who
 * was killed for memory. Filled by the executor, the tick and the killer; thread-safe.
 */
public final class ContainerLedger {
  /**
   * One container that runs.
   *
   * @param info what YARN says of it
   * @param workingSetBytes its working set at the last tick, 0 before the first
   * @param peakBytes the highest so far
   * @param killReason why it was killed for memory, if it was
   */
  public record Entry(
      ContainerInfo info, long workingSetBytes, long peakBytes, Optional<String> killReason) {
    Entry measured(long bytes) {
      return new Entry(info, bytes, Math.max(peakBytes, bytes), killReason);
    }

    Entry changed(ContainerInfo now) {
      return new Entry(now, workingSetBytes, peakBytes, killReason);
    }

    Entry killed(Optional<String> reason) {
      return new Entry(info, workingSetBytes, peakBytes, reason);
    }
  }

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** A container starts, or was found running; what is known of it already is kept. */
  public void started(ContainerInfo info) {
    entries.putIfAbsent(info.containerId(), new Entry(info, 0, 0, Optional.empty()));
  }

  /** A container was promoted, demoted or resized; unknown ones are ignored. */
  public void changed(ContainerInfo info) {
    entries.computeIfPresent(info.containerId(), (id, entry) -> entry.changed(info));
  }

  /** A tick measured these working sets, bytes by container id. */
  public void measured(Map<String, Long> workingSetBytes) {
    workingSetBytes.forEach(
        (containerId, bytes) ->
            entries.computeIfPresent(containerId, (id, entry) -> entry.measured(bytes)));
  }

  /**
   * A container is being killed for memory.
   *
   * @param reason the measured value and the threshold
   */
  public void killedForMemory(String containerId, String reason) {
    entries.computeIfPresent(containerId, (id, entry) -> entry.killed(Optional.of(reason)));
  }

  /** A container could not be killed, or nobody wants it to end any more. */
  public void spared(String containerId) {
    entries.computeIfPresent(containerId, (id, entry) -> entry.killed(Optional.empty()));
  }

  /** What is known of a container. */
  public Optional<Entry> find(String containerId) {
    return Optional.ofNullable(entries.get(containerId));
  }

  /** Forgets a container that has ended. */
  public Optional<Entry> remove(String containerId) {
    return Optional.ofNullable(entries.remove(containerId));
  }

  /** All containers that run. */
  public Collection<Entry> entries() {
    return entries.values();
  }

  /** Current working set of every best-effort container, bytes. */
  public Map<String, Long> bestEffortWorkingSets() {
    Map<String, Long> bytes = new ConcurrentHashMap<>();
    entries.forEach(
        (containerId, entry) -> {
          if (entry.info().executionType() == ExecutionType.OPPORTUNISTIC) {
            bytes.put(containerId, entry.workingSetBytes());
          }
        });
    return bytes;
  }
}
