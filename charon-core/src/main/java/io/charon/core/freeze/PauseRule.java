/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

import io.charon.core.scheduler.NodeMemory;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides who is frozen, reclaimed, resumed or killed for lack of memory (ours). Freezing goes from
 * the newest container to the oldest, as killing does, and resuming from the oldest to the newest:
 * who has done most work waits least. It knows best-effort containers only.
 *
 * <p>Freezing returns no memory. So after every change the next one waits until it can show in the
 * reading, and between the two thresholds nothing changes. What was reclaimed from a container is
 * not counted as available for it: it comes back into memory as soon as the container goes on.
 */
public final class PauseRule {
  /** How long a change may take until the node's memory shows it (ours). */
  public static final Duration SETTLES = Duration.ofSeconds(1);

  private static final long MEBIBYTE = 1024 * 1024;

  /**
   * What is known at one instant.
   *
   * @param nowNanos monotonic
   * @param memory the node's
   * @param oldestFirst best-effort containers that run or are frozen, in launch order
   * @param frozen by container id; others than those that run are ignored
   * @param changedNanos when the last container was frozen, resumed or killed; empty if none was
   */
  public record View(
      long nowNanos,
      NodeMemory memory,
      List<String> oldestFirst,
      Map<String, Frozen> frozen,
      Optional<Long> changedNanos) {}

  private final PauseSettings settings;

  /** A rule with these thresholds. */
  public PauseRule(PauseSettings settings) {
    this.settings = settings;
  }

  /** Below how much available memory containers are frozen, bytes. */
  public long thresholdBytes(long capacityBytes) {
    return capacityBytes / 100 * settings.thresholdPercent();
  }

  /** From how much available memory on they go on, bytes. */
  public long resumeBytes(long capacityBytes) {
    return capacityBytes / 100 * settings.resumePercent();
  }

  /**
   * What to do now; at most one thing. A container is resumed or killed after {@link
   * PauseSettings#limit}, or up to {@link #SETTLES} later for each other one that is frozen.
   */
  public Optional<PauseDecision> decide(View view) {
    List<Frozen> frozen =
        view.oldestFirst().stream()
            .filter(view.frozen()::containsKey)
            .map(view.frozen()::get)
            .toList();
    boolean settled =
        view.changedNanos()
            .map(changed -> view.nowNanos() - changed >= SETTLES.toNanos())
            .orElse(true);
    if (!settled) {
      return reclaim(view, frozen);
    }
    return resume(view, frozen)
        .or(() -> kill(view, frozen))
        .or(() -> reclaim(view, frozen))
        .or(() -> freeze(view));
  }

  private Optional<PauseDecision> resume(View view, List<Frozen> oldestFirst) {
    long neededBytes = resumeBytes(view.memory().capacityBytes());
    return oldestFirst.stream()
        .filter(
            container -> view.memory().availableBytes() - container.reclaimedBytes() >= neededBytes)
        .findFirst()
        .map(
            container ->
                decision(
                    PauseDecision.Kind.RESUME,
                    container.containerId(),
                    "%s, resumed from %d MiB on%s"
                        .formatted(
                            left(view),
                            neededBytes / MEBIBYTE,
                            container.reclaimedBytes() == 0
                                ? ""
                                : " beside the %d MiB that were reclaimed from it"
                                    .formatted(container.reclaimedBytes() / MEBIBYTE))));
  }

  private Optional<PauseDecision> kill(View view, List<Frozen> oldestFirst) {
    return oldestFirst.stream()
        .filter(container -> view.nowNanos() - container.sinceNanos() >= settings.limit().toNanos())
        .max(Comparator.comparingLong(container -> view.nowNanos() - container.sinceNanos()))
        .map(
            container ->
                decision(
                    PauseDecision.Kind.KILL,
                    container.containerId(),
                    "frozen for %d ms, limit %d ms; %s, resumed from %d MiB on"
                        .formatted(
                            (view.nowNanos() - container.sinceNanos()) / 1_000_000,
                            settings.limit().toMillis(),
                            left(view),
                            resumeBytes(view.memory().capacityBytes()) / MEBIBYTE)));
  }

  private Optional<PauseDecision> reclaim(View view, List<Frozen> oldestFirst) {
    long lackingBytes = resumeBytes(view.memory().capacityBytes()) - view.memory().availableBytes();
    return oldestFirst.stream()
        .filter(container -> isShort(view) && !container.reclaimAsked())
        .findFirst()
        .map(
            container ->
                new PauseDecision(
                    PauseDecision.Kind.RECLAIM,
                    container.containerId(),
                    lackingBytes,
                    "%s, %d MiB are lacking".formatted(left(view), lackingBytes / MEBIBYTE)));
  }

  private Optional<PauseDecision> freeze(View view) {
    return view.oldestFirst().stream()
        .filter(containerId -> isShort(view) && !view.frozen().containsKey(containerId))
        .reduce((older, newer) -> newer)
        .map(
            containerId ->
                decision(
                    PauseDecision.Kind.FREEZE,
                    containerId,
                    "%s, frozen below %d MiB"
                        .formatted(
                            left(view), thresholdBytes(view.memory().capacityBytes()) / MEBIBYTE)));
  }

  private boolean isShort(View view) {
    return view.memory().availableBytes() < thresholdBytes(view.memory().capacityBytes());
  }

  private static PauseDecision decision(
      PauseDecision.Kind kind, String containerId, String reason) {
    return new PauseDecision(kind, containerId, 0, reason);
  }

  private static String left(View view) {
    return "%d MiB of %d MiB left"
        .formatted(
            view.memory().availableBytes() / MEBIBYTE, view.memory().capacityBytes() / MEBIBYTE);
  }
}
