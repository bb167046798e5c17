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
 * A container that was killed for memory.
 *
 * @param time when it became known
 * @param containerId the victim
 * @param by who killed it
 * @param reason the measured value and the threshold
 * @param kernel what the kernel killer wrote down, if it was the one
 */
public record KillRecord(
    Instant time, String containerId, Killer by, String reason, Optional<KernelKill> kernel) {

  /** Who kills containers. */
  public enum Killer {
    /** The kernel killer, in any of its tiers. */
    KERNEL("kernel"),
    /** The poller inside the NodeManager. */
    USER_SPACE("user-space"),
    /** The memory regulator, for the foreground's reserve, or another mechanism. */
    REGULATOR("memory"),
    /** The memory limit around best-effort. */
    MEMORY_LIMIT("memory-limit"),
    /** Pause before kill: it was frozen for too long. */
    PAUSE("pause"),
    /** Eviction above a memory line. */
    EVICT_LINE("evict-line"),
    /** Eviction under memory pressure. */
    EVICT_PSI("evict-psi"),
    /** Eviction by CPU satisfaction. */
    EVICT_SATISFACTION("evict-satisfaction"),
    /** An operator, by a stop. */
    STOP("stop"),
    /** Linux's own OOM killer. */
    LINUX_OOM("linux-oom");

    private final String mechanism;

    Killer(String mechanism) {
      this.mechanism = mechanism;
    }

    /** Its name in the audit. */
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
