/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ActionExecutor.Outcome;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.sensor.NodeMemorySensor;
import io.charon.nodemanager.sensor.NodeWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Watches the node's memory from user space and kills the newest best-effort container when too
 * little is left (Charon paper, section 2.3: a monitor in the NodeManager, every millisecond).
 */
public final class UserSpaceKiller implements AutoCloseable {

  /**
   * Age of the last sample from which this killer counts as unable to kill. A sample takes
   * milliseconds (our choice).
   */
  private static final Duration MAX_SAMPLE_AGE = Duration.ofSeconds(5);

  private static final long MEBIBYTE = 1024 * 1024;

  /**
   * Longest pause while another killer protects the node, well below the age from which this killer
   * counts as unable to kill (our choice).
   */
  private static final Duration MAX_STANDBY = Duration.ofSeconds(1);

  private final NodeMemorySensor sensor;
  private final LaunchControl launches;
  private final Predicate<String> hasStarted;
  private final LowMemoryRule rule;
  private final ActionExecutor executor;
  private final DyingContainers dying;
  private final LongSupplier nanoClock;
  private final BooleanSupplier standsBy;
  private final BooleanSupplier readsForLaunches;
  private final Runnable launchable;
  private final NodeWatch watch;
  private final AtomicLong startingBytes = new AtomicLong();
  private OptionalLong waitsSinceNanos = OptionalLong.empty();
  private volatile long sampledNanos;
  private long thresholdBytes = Long.MAX_VALUE;

  /**
   * Creates a killer that does not run yet.
   *
   * @param sensor the node's memory
   * @param launches knows the running containers
   * @param hasStarted whether a container has been started or, after a restart, found again: of one
   *     that is still being recovered YARN knows no process, and would forget those that it has
   * @param rule decides which container is killed, and when
   * @param executor carries out the kill
   * @param dying containers that are ending for any reason, so that one shortage costs one
   *     container
   * @param nanoClock monotonic nanoseconds
   * @param poll interval of samples while this killer protects the node
   * @param standsBy whether a better killer protects the node; if it stops earlier than {@code
   *     standby} says, {@link #takeOver} must be called
   * @param standby how long the better killer protects the node at least
   * @param readsForLaunches whether each sample also decides launches (threshold)
   * @param launchable called when the first container of the queue may start
   */
  public UserSpaceKiller(
      NodeMemorySensor sensor,
      LaunchControl launches,
      Predicate<String> hasStarted,
      LowMemoryRule rule,
      ActionExecutor executor,
      DyingContainers dying,
      LongSupplier nanoClock,
      Duration poll,
      BooleanSupplier standsBy,
      Supplier<Duration> standby,
      BooleanSupplier readsForLaunches,
      Runnable launchable) {
    this.sensor = sensor;
    this.launches = launches;
    this.hasStarted = hasStarted;
    this.rule = rule;
    this.executor = executor;
    this.dying = dying;
    this.nanoClock = nanoClock;
    this.standsBy = standsBy;
    this.readsForLaunches = readsForLaunches;
    this.launchable = launchable;
    this.sampledNanos = nanoClock.getAsLong();
    this.watch =
        new NodeWatch(
            "charon-user-space-killer",
            this::sample,
            () -> standsBy.getAsBoolean() ? pause(standby.get()) : poll);
  }

  private static Duration pause(Duration standby) {
    return standby.compareTo(MAX_STANDBY) < 0 ? standby : MAX_STANDBY;
  }

  /** Samples at once, because the better killer no longer protects the node. */
  public void takeOver() {
    watch.checkNow();
  }

  /** Starts watching the node's memory. */
  public void start() {
    watch.start();
  }

  /**
   * Handles the start of a production container: room is made for its request first (threshold).
   *
   * @param requestedBytes the requested memory, bytes
   */
  public void productionStarts(long requestedBytes) {
    startingBytes.addAndGet(requestedBytes);
  }

  @Override
  public void close() {
    watch.close();
  }

  /**
   * Returns whether this killer would kill if memory ran short: its rule allows kills, and the
   * watch has run within the last 5 s, sampling or on standby.
   */
  public boolean canKill() {
    return rule.everKills() && nanoClock.getAsLong() - sampledNanos <= MAX_SAMPLE_AGE.toNanos();
  }

  /** Samples the node's memory once and acts on it; visible for tests. */
  void sample() throws IOException {
    if (!standsBy.getAsBoolean()) {
      protect();
    }
    sampledNanos = nanoClock.getAsLong();
  }

  private void protect() throws IOException {
    // Read before the running containers: room that is requested after an empty list was read must
    // not count as made.
    long roomBytes = startingBytes.get();
    List<String> running = launches.runningOldestFirst();
    boolean decidesLaunch = readsForLaunches.getAsBoolean() && launches.anyWaiting();
    if (running.isEmpty() && !decidesLaunch) {
      roomMade(roomBytes);
      return;
    }
    if (!decidesLaunch && enoughLeft(roomBytes)) {
      roomMade(roomBytes);
      return;
    }
    NodeMemory memory = sensor.read();
    thresholdBytes = rule.thresholdBytes(memory.capacityBytes());
    if (decidesLaunch && launches.observed(memory, Map.of())) {
      launchable.run();
    }
    long leftBytes = memory.availableBytes() - roomBytes;
    List<String> killable = running.stream().filter(hasStarted).toList();
    boolean waits =
        leftBytes < thresholdBytes
            && (waitsForOthers(running) || (killable.isEmpty() && !running.isEmpty()));
    Optional<String> victim = rule.victim(memory.capacityBytes(), leftBytes, killable, waits);
    if (victim.isPresent()) {
      kill(victim.get(), running, memory, leftBytes);
    } else if (!waits) {
      roomMade(roomBytes);
    }
  }

  /**
   * Returns whether to wait for a container that is ending and will free memory soon. One shortage
   * waits no longer for such containers than for a victim of its own, however many of them YARN
   * ends meanwhile.
   */
  private boolean waitsForOthers(List<String> running) {
    if (waitsSinceNanos.isEmpty()) {
      waitsSinceNanos = OptionalLong.of(nanoClock.getAsLong());
    }
    return dying.anyOf(running) && !waitedLongEnough();
  }

  private boolean waitedLongEnough() {
    long now = nanoClock.getAsLong();
    return now - waitsSinceNanos.orElse(now) >= DyingContainers.GRACE.toNanos();
  }

  /** Forgets requests that need no more room; others may have been added meanwhile. */
  private void roomMade(long roomBytes) {
    waitsSinceNanos = OptionalLong.empty();
    startingBytes.addAndGet(-roomBytes);
  }

  /** Returns whether the cheap reading already shows that no kill is needed; the common case. */
  private boolean enoughLeft(long roomBytes) throws IOException {
    return thresholdBytes != Long.MAX_VALUE && sensor.availableAtLeast(thresholdBytes + roomBytes);
  }

  private void kill(String containerId, List<String> running, NodeMemory memory, long leftBytes) {
    String reason =
        String.format(
            Locale.ROOT,
            "user-space killer: %d MiB of %d MiB left, threshold %d MiB",
            leftBytes / MEBIBYTE,
            memory.capacityBytes() / MEBIBYTE,
            thresholdBytes / MEBIBYTE);
    Outcome outcome =
        executor.perform(
            KillLog.Killer.USER_SPACE.mechanism(),
            RegulatorMode.ENFORCE,
            new Action.Kill(
                containerId,
                waitedLongEnough() ? List.of() : running,
                new Basis(
                    "the node",
                    Map.of(
                        "available", (double) leftBytes,
                        "capacity", (double) memory.capacityBytes()),
                    thresholdBytes,
                    "low memory",
                    reason)));
    // If another killer was faster, a later sample shows whether that was enough.
    if (outcome.kind() != Outcome.Kind.REFUSED) {
      waitsSinceNanos = OptionalLong.of(nanoClock.getAsLong());
    }
  }
}
