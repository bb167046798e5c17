/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The recent kills, for status pages. Thread-safe. */
public final class KillLog {
  /** Number of kills kept, the same as in the kernel killer (our choice). */
  private static final int KEPT = 64;

  /** The killers of containers. */
  public enum Killer {
    /** The kernel killer, in any of its tiers. */
    KERNEL("kernel"),
    /** The killer inside the NodeManager, which polls the node's memory. */
    USER_SPACE("user-space"),
    /**
     * The memory regulator, for the foreground's reserve, or any mechanism that is not listed here.
     */
    REGULATOR("memory"),
    /** The mechanism that moves the memory limit around best-effort. */
    MEMORY_LIMIT("memory-limit"),
    /** Freeze before kill: the container was frozen for too long. */
    FREEZE("freeze"),
    /** Eviction above a memory threshold. */
    EVICT_LINE("evict-line"),
    /** Eviction under memory pressure. */
    EVICT_PSI("evict-psi"),
    /** Eviction by CPU satisfaction. */
    EVICT_SATISFACTION("evict-satisfaction"),
    /** An operator's stop. */
    STOP("stop"),
    /** Linux's own OOM killer. */
    LINUX_OOM("linux-oom");

    private final String mechanism;

    Killer(String mechanism) {
      this.mechanism = mechanism;
    }

    /** Returns the killer's name in the audit. */
    public String mechanism() {
      return mechanism;
    }

    static Killer of(String mechanism) {
      return Arrays.stream(values())
          .filter(killer -> killer.mechanism.equals(mechanism))
          .findFirst()
          .orElse(REGULATOR);
    }
  }

  /**
   * A kill of a container.
   *
   * @param time when the kill became known
   * @param containerId the victim
   * @param by the killer
   * @param reason the measured value and the threshold
   * @param kernel the kernel killer's data; empty for other killers
   */
  public record Kill(
      Instant time, String containerId, Killer by, String reason, Optional<KernelKill> kernel) {
    Kill with(KernelKill later) {
      return new Kill(time, containerId, by, reason, Optional.of(later));
    }
  }

  private final Deque<Kill> records = new ArrayDeque<>();

  /** Adds a kill, and forgets the oldest one beyond the limit. */
  public synchronized void add(Kill kill) {
    if (records.size() == KEPT) {
      records.removeFirst();
    }
    records.addLast(kill);
  }

  /** Returns all kept kills, newest last. */
  public synchronized List<Kill> recent() {
    return new ArrayList<>(records);
  }

  /** Adds the kernel killer's later data to the records of a container. */
  public synchronized void complete(String containerId, KernelKill kill) {
    List<Kill> before = recent();
    records.clear();
    before.stream()
        .map(record -> record.containerId().equals(containerId) ? record.with(kill) : record)
        .forEach(records::addLast);
  }
}
