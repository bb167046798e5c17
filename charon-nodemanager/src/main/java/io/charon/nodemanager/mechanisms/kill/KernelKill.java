/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller.ContainerSample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * A kill by the kernel killer, with the data that explains it.
 *
 * @param decision the kernel's record of the decision; containers are cgroup ids
 * @param names the ids of containers and the paths of services, by cgroup id
 * @param samples samples of the container that thrashed, oldest first
 */
public record KernelKill(
    KernelDecision decision, Map<Long, String> names, List<ContainerSample> samples) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Copies the collections. */
  public KernelKill {
    names = Map.copyOf(names);
    samples = List.copyOf(samples);
  }

  /** Returns the readable name of a container or service. */
  public String name(long cgroup) {
    return names.getOrDefault(cgroup, "cgroup " + cgroup);
  }

  /** Returns the reason in one line: the measured value and the threshold. */
  public String reason() {
    if (decision.trigger().series() == KernelDecision.Series.OWED) {
      return String.format(
          Locale.ROOT,
          "kernel killer: %s was owed memory for %.2f s without progress, owed-time %.2f s",
          name(decision.trigger().container()),
          decision.trigger().nanos() / NANOS_PER_SECOND,
          decision.trigger().toleranceNanos() / NANOS_PER_SECOND);
    }
    return String.format(
        Locale.ROOT,
        "kernel killer: %s had %s thrash for %.2f s, cgth_time %.2f s",
        name(decision.trigger().container()),
        decision.trigger().series().name().toLowerCase(Locale.ROOT),
        decision.trigger().nanos() / NANOS_PER_SECOND,
        decision.trigger().toleranceNanos() / NANOS_PER_SECOND);
  }

  /**
   * Returns the time from the decision to the last SIGKILL, nanoseconds; empty if none was sent.
   */
  public OptionalLong nanosToLastSignal() {
    OptionalLong last = decision.execution().lastSignalNanos();
    return last.isPresent()
        ? OptionalLong.of(last.getAsLong() - decision.decisionNanos())
        : OptionalLong.empty();
  }

  /**
   * Returns the time from the decision until all memory was released, nanoseconds; empty if that is
   * not known.
   */
  public OptionalLong nanosToFreed() {
    return nanosTo(KernelDecision.Release::freedNanos);
  }

  /**
   * Returns the time from the decision until the container was empty, nanoseconds; empty if that is
   * not known.
   */
  public OptionalLong nanosToGone() {
    return nanosTo(KernelDecision.Release::goneNanos);
  }

  private OptionalLong nanosTo(ToLongFunction<KernelDecision.Release> moment) {
    return decision.execution().release().stream()
        .mapToLong(release -> moment.applyAsLong(release) - decision.decisionNanos())
        .findFirst();
  }

  KernelKill with(KernelDecision later) {
    return new KernelKill(later, names, samples);
  }
}
