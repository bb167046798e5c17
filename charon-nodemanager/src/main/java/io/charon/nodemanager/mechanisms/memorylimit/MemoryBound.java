/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.law.Decision;
import io.charon.nodemanager.execution.Effect;
import io.charon.nodemanager.execution.LimitActuator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Bounds the memory of best-effort: no container starts that would need more than the bound leaves,
 * and what is used above the bound is taken back at once, from the newest containers.
 *
 * <p>Nobody is killed while the foreground's reserve is not known: over the first window after a
 * restart, containers that ran before go on and no new one starts.
 */
public final class MemoryBound implements LimitActuator {
  /** In one tick no more than this die, however far use is above the bound (ours). */
  private static final int MOST_KILLS_PER_TICK = 5;

  /** How long a victim may take to be gone before it is killed again (ours). */
  private static final Duration VICTIM_GRACE = Duration.ofSeconds(3);

  private static final long MEBIBYTE = 1024 * 1024;

  /** Where launches of best-effort containers are decided. */
  public interface Admission {
    /**
     * How much best-effort may hold altogether.
     *
     * @param bytes empty for no bound
     */
    void bound(OptionalLong bytes);
  }

  /**
   * A best-effort container that runs.
   *
   * @param id YARN's container id
   * @param bytes its working set
   * @param dying whether somebody killed it for memory and it is not gone yet
   */
  public record Container(String id, long bytes, boolean dying) {}

  /** The best-effort containers of a node. */
  public interface Containers {
    /** Those that run, oldest first. */
    List<Container> oldestFirst();

    /**
     * Kills one; returns before it is gone.
     *
     * @param reason the measured value and the bound
     * @throws IOException if the signal could not be sent
     */
    void kill(String containerId, String reason) throws IOException;
  }

  private final Optional<Admission> admission;
  private final Containers containers;
  private final LongSupplier nanoClock;
  private final Map<String, Long> dyingSince = new HashMap<>();

  /**
   * A bound that is not set yet.
   *
   * @param admission where launches are decided; empty where stock YARN decides
   * @param containers who may die
   * @param nanoClock monotonic nanoseconds
   */
  public MemoryBound(Optional<Admission> admission, Containers containers, LongSupplier nanoClock) {
    this.admission = admission;
    this.containers = containers;
    this.nanoClock = nanoClock;
  }

  @Override
  public Optional<String> unavailable() {
    return admission.isPresent()
        ? Optional.empty()
        : Optional.of(
            "stock YARN decides launches: set yarn.nodemanager.charon.mode to enforce or kuber");
  }

  @Override
  public String apply(double limit) {
    long bytes = (long) limit;
    admission.ifPresent(launches -> launches.bound(OptionalLong.of(bytes)));
    return "best-effort may hold " + mebibytes(bytes);
  }

  @Override
  public List<Effect> takeBack(Decision decision) {
    if (decision.range().isEmpty()) {
      return List.of();
    }
    List<Container> running = containers.oldestFirst();
    forgetThoseGone(running);
    long limitBytes = (long) decision.limit();
    long heldBytes = 0;
    for (Container container : running) {
      heldBytes += isDying(container) ? 0 : container.bytes();
    }
    List<Effect> effects = new ArrayList<>();
    for (int i = running.size() - 1; i >= 0 && effects.size() < MOST_KILLS_PER_TICK; i--) {
      Container newest = running.get(i);
      if (heldBytes <= limitBytes) {
        break;
      }
      if (newest.bytes() > 0 && !isDying(newest)) {
        effects.add(kill(newest, heldBytes, limitBytes));
        heldBytes -= newest.bytes();
      }
    }
    return effects;
  }

  private void forgetThoseGone(List<Container> running) {
    long now = nanoClock.getAsLong();
    dyingSince.keySet().retainAll(running.stream().map(Container::id).toList());
    running.stream()
        .filter(Container::dying)
        .forEach(container -> dyingSince.putIfAbsent(container.id(), now));
  }

  /** Whether its memory is as good as free; one that does not go is tried again. */
  private boolean isDying(Container container) {
    Long since = dyingSince.get(container.id());
    return since != null && nanoClock.getAsLong() - since < VICTIM_GRACE.toNanos();
  }

  private Effect kill(Container victim, long heldBytes, long limitBytes) {
    String reason =
        "memory regulator: best-effort holds %s, %s are left beside the foreground's reserve"
            .formatted(mebibytes(heldBytes), mebibytes(limitBytes));
    dyingSince.put(victim.id(), nanoClock.getAsLong());
    String result = "applied: killed, it held " + mebibytes(victim.bytes());
    try {
      containers.kill(victim.id(), reason);
    } catch (IOException e) {
      result = "failed: " + e.getMessage();
    }
    return new Effect("kill", victim.id(), result, reason);
  }

  @Override
  public void undo() {
    admission.ifPresent(launches -> launches.bound(OptionalLong.empty()));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%d MiB", bytes / MEBIBYTE);
  }
}
