/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.PlacementPart;
import io.charon.nodemanager.report.audit.Audit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes promotions and demotions. A part that fails is repeated at each tick until it succeeds
 * or the container ends, because otherwise production would keep running under best-effort's memory
 * limit. The failure and its end are logged, audited and counted once per container. Thread-safe; a
 * container that ends waits for an attempt that is running, so that its cgroups are not created
 * again afterwards.
 */
final class PlacementRetries {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementRetries.class);

  private static final String NAME = "placement";

  /** Time in a tick after which no further container is tried (our choice). */
  private static final Duration BUDGET = Duration.ofMillis(50);

  /** Retries use at most a tenth of the tick's thread, even if an attempt hangs (our choice). */
  private static final int PAUSE_FACTOR = 9;

  private record Unfinished(
      ContainerInfo container, List<PlacementPart> parts, String reason, int attempts) {
    String id() {
      return container.containerId();
    }
  }

  private final Predicate<String> running;
  private final Audit audit;
  private final Counter failures;
  private final LongSupplier nanoClock;

  /** By container id, the one that was not tried for the longest time first. */
  private final Map<String, Unfinished> unfinished = new LinkedHashMap<>();

  private long resumeNanos;

  /**
   * Creates an instance with nothing to repeat.
   *
   * @param running whether a container has processes, by its id
   * @param audit records what failed and how it ended
   * @param failures counts containers whose change failed
   * @param nanoClock monotonic nanoseconds
   */
  PlacementRetries(
      Predicate<String> running, Audit audit, Counter failures, LongSupplier nanoClock) {
    this.running = running;
    this.audit = audit;
    this.failures = failures;
    this.nanoClock = nanoClock;
    this.resumeNanos = nanoClock.getAsLong();
  }

  /**
   * Applies all parts of a change now; those that fail are repeated instead of any earlier ones.
   */
  synchronized void change(ContainerInfo container, List<PlacementPart> parts) {
    unfinished.remove(container.containerId());
    attempt(new Unfinished(container, parts, "", 0));
  }

  /** Applies all parts of a change at the next tick, because an earlier NodeManager did not. */
  synchronized void changeLater(ContainerInfo container, List<PlacementPart> parts, String reason) {
    failed(new Unfinished(container, parts, reason, 1));
  }

  /** Repeats what failed. */
  void tick() {
    long start = nanoClock.getAsLong();
    if (start - resumeNanos < 0) {
      return;
    }
    for (Unfinished one : pending()) {
      repeat(one);
      if (nanoClock.getAsLong() - start > BUDGET.toNanos()) {
        break;
      }
    }
    long end = nanoClock.getAsLong();
    resumeNanos = end + PAUSE_FACTOR * (end - start);
  }

  private synchronized List<Unfinished> pending() {
    return List.copyOf(unfinished.values());
  }

  private synchronized void repeat(Unfinished one) {
    if (!one.equals(unfinished.get(one.id()))) {
      return; // it has ended or changed meanwhile
    }
    if (running.test(one.id())) {
      unfinished.remove(one.id());
      attempt(one);
    } else {
      stopped(one.id());
    }
  }

  /** Forgets a container that has ended; waits for an attempt that is running. */
  synchronized void stopped(String containerId) {
    Unfinished left = unfinished.remove(containerId);
    if (left != null) {
      write(left, "not applied: the container has ended");
    }
  }

  private void attempt(Unfinished before) {
    List<PlacementPart> open = new ArrayList<>();
    Set<String> reasons = new LinkedHashSet<>(); // parts may fail for the same reason
    for (PlacementPart part : before.parts()) {
      apply(part, before.container())
          .ifPresent(
              reason -> {
                open.add(part);
                reasons.add(reason);
              });
    }
    int attempts = before.attempts() + 1;
    if (!open.isEmpty()) {
      failed(new Unfinished(before.container(), open, String.join("; ", reasons), attempts));
    } else if (attempts > 1) {
      LOG.info("{} is {} now, at attempt {}", before.id(), className(before), attempts);
      write(before, "applied at attempt " + attempts);
    }
  }

  private static Optional<String> apply(PlacementPart part, ContainerInfo container) {
    try {
      return part.apply(container);
    } catch (RuntimeException e) {
      LOG.debug("a part of {}'s change", container.containerId(), e);
      return Optional.of(e.toString());
    }
  }

  private void failed(Unfinished now) {
    unfinished.put(now.id(), now);
    if (now.attempts() > 1) {
      LOG.debug("{}, attempt {}: {}", now.id(), now.attempts(), now.reason());
      return;
    }
    failures.inc();
    LOG.warn(
        "{} is {} by YARN, but its processes are not treated so yet, which is tried again at each"
            + " tick: {}",
        now.id(),
        className(now),
        now.reason());
    write(now, "failed: " + now.reason() + "; tried again at each tick");
  }

  private void write(Unfinished one, String result) {
    audit.write(
        NAME,
        RegulatorMode.ENFORCE,
        new Basis(
            "production containers",
            Map.of("attempts", (double) one.attempts()),
            0,
            NAME,
            "YARN made it " + className(one)),
        one.container().containerClass() == ContainerClass.PRODUCTION ? "promote" : "demote",
        one.id(),
        result);
  }

  private static String className(Unfinished one) {
    return one.container().containerClass().directoryName();
  }
}
