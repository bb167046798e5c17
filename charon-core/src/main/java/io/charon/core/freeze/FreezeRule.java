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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which container is frozen, reclaimed, thawed or killed when memory is short. Our design,
 * not from a paper. Containers are frozen from the newest to the oldest, in the same order as they
 * are killed, and thawed from the oldest to the newest: the container that has done most work waits
 * least. Only best-effort containers are considered.
 *
 * <p>Freezing does not release memory. So after every change the rule waits until the next reading
 * can show its effect, and between the two thresholds nothing changes. A container's reclaimed
 * memory does not count as available for resuming it, because it returns to memory as soon as the
 * container continues.
 */
public final class FreezeRule {
  /** The time until a change is visible in the node's memory. Our choice. */
  public static final Duration SETTLES = Duration.ofSeconds(1);

  private static final long MEBIBYTE = 1024 * 1024;

  /**
   * The state at one instant.
   *
   * @param nowNanos the current monotonic time
   * @param memory the node's memory
   * @param oldestFirst best-effort containers that run or are frozen, in launch order
   * @param frozen by container id; containers that are not in {@code oldestFirst} are ignored
   * @param changedNanos the time of the last freeze, thaw or kill; empty if there was none
   */
  public record View(
      long nowNanos,
      NodeMemory memory,
      List<String> oldestFirst,
      Map<String, Frozen> frozen,
      Optional<Long> changedNanos) {}

  private final FreezeSettings settings;

  /** Creates a rule with the given thresholds. */
  public FreezeRule(FreezeSettings settings) {
    this.settings = settings;
  }

  /** Returns the available memory below which containers are frozen, in bytes. */
  public long thresholdBytes(long capacityBytes) {
    return capacityBytes / 100 * settings.thresholdPercent();
  }

  /** Returns the available memory from which containers are thawed, in bytes. */
  public long thawBytes(long capacityBytes) {
    return capacityBytes / 100 * settings.thawPercent();
  }

  /** Returns whether so little is available that containers are frozen. */
  public boolean isShort(NodeMemory memory) {
    return memory.availableBytes() < thresholdBytes(memory.capacityBytes());
  }

  /**
   * Returns the next action, if any. A container is thawed or killed after {@link
   * FreezeSettings#limit}, or up to {@link #SETTLES} later for each other container that is frozen.
   */
  public Optional<FreezeDecision> decide(View view) {
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
    return thaw(view, frozen)
        .or(() -> kill(view, frozen))
        .or(() -> reclaim(view, frozen))
        .or(() -> freeze(view));
  }

  private Optional<FreezeDecision> thaw(View view, List<Frozen> oldestFirst) {
    long neededBytes = thawBytes(view.memory().capacityBytes());
    return oldestFirst.stream()
        .filter(
            container -> view.memory().availableBytes() - container.reclaimedBytes() >= neededBytes)
        .findFirst()
        .map(
            container ->
                decision(
                    FreezeDecision.Kind.THAW,
                    container.containerId(),
                    String.format(
                        Locale.ROOT,
                        "%s, thawed at %d MiB or more%s",
                        left(view),
                        neededBytes / MEBIBYTE,
                        container.reclaimedBytes() == 0
                            ? ""
                            : String.format(
                                Locale.ROOT,
                                ", not counting the %d MiB that were reclaimed from it",
                                container.reclaimedBytes() / MEBIBYTE))));
  }

  private Optional<FreezeDecision> kill(View view, List<Frozen> oldestFirst) {
    return oldestFirst.stream()
        .filter(container -> view.nowNanos() - container.sinceNanos() >= settings.limit().toNanos())
        .max(Comparator.comparingLong(container -> view.nowNanos() - container.sinceNanos()))
        .map(
            container ->
                decision(
                    FreezeDecision.Kind.KILL,
                    container.containerId(),
                    String.format(
                        Locale.ROOT,
                        "frozen for %d ms, limit %d ms; %s, thawed at %d MiB or more",
                        (view.nowNanos() - container.sinceNanos()) / 1_000_000,
                        settings.limit().toMillis(),
                        left(view),
                        thawBytes(view.memory().capacityBytes()) / MEBIBYTE)));
  }

  private Optional<FreezeDecision> reclaim(View view, List<Frozen> oldestFirst) {
    long lackingBytes = thawBytes(view.memory().capacityBytes()) - view.memory().availableBytes();
    return oldestFirst.stream()
        .filter(container -> isShort(view.memory()) && !container.reclaimAsked())
        .findFirst()
        .map(
            container ->
                new FreezeDecision(
                    FreezeDecision.Kind.RECLAIM,
                    container.containerId(),
                    lackingBytes,
                    String.format(
                        Locale.ROOT, "%s, %d MiB too few", left(view), lackingBytes / MEBIBYTE)));
  }

  private Optional<FreezeDecision> freeze(View view) {
    return view.oldestFirst().stream()
        .filter(containerId -> isShort(view.memory()) && !view.frozen().containsKey(containerId))
        .reduce((older, newer) -> newer)
        .map(
            containerId ->
                decision(
                    FreezeDecision.Kind.FREEZE,
                    containerId,
                    String.format(
                        Locale.ROOT,
                        "%s, frozen below %d MiB",
                        left(view),
                        thresholdBytes(view.memory().capacityBytes()) / MEBIBYTE)));
  }

  private static FreezeDecision decision(
      FreezeDecision.Kind kind, String containerId, String reason) {
    return new FreezeDecision(kind, containerId, 0, reason);
  }

  private static String left(View view) {
    return String.format(
        Locale.ROOT,
        "%d MiB of %d MiB left",
        view.memory().availableBytes() / MEBIBYTE,
        view.memory().capacityBytes() / MEBIBYTE);
  }
}
