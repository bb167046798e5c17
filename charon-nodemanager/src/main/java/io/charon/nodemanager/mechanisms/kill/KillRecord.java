/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A kill of a container.
 *
 * @param time when the kill became known
 * @param containerId the victim
 * @param by the killer
 * @param reason the measured value and the threshold
 * @param kernel the kernel killer's data; empty for other killers
 */
public record KillRecord(
    Instant time, String containerId, Killer by, String reason, Optional<KernelKill> kernel) {

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

  KillRecord with(KernelKill later) {
    return new KillRecord(time, containerId, by, reason, Optional.of(later));
  }
}
