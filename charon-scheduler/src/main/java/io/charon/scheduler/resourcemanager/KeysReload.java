/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.ReloadOutcome;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Carries out the orders to read the keys again that an operator writes into the file of this host.
 * The file is checked when the rules are used, at most five times a second, so there is no thread
 * that a failover would leave behind. Thread-safe.
 */
final class KeysReload {
  /** Shortest time between two checks of the file, as in {@link ClusterStop} (our choice). */
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  /**
   * Time for which whoever asks for the outcome waits for a check in progress (our choice): far
   * more than the file takes, and short enough for a thread of the web server if the file system
   * hangs.
   */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);

  private final Optional<TrustedProperties> file;
  private final ReloadableRules rules;
  private final Consumer<ReloadOutcome> news;
  private final LongSupplier nanoTime;
  private final ReentrantLock checking = new ReentrantLock();
  private volatile long checkedNanos;
  private TrustedProperties.Version read = TrustedProperties.Version.none();
  private Instant done;
  private volatile ReloadOutcome outcome = ReloadOutcome.none();

  /**
   * Creates an instance that has checked nothing yet: a file system that hangs must not hold up the
   * start of the ResourceManager.
   *
   * @param file file of the host; empty if the configuration names none
   * @param since time at which this process read its configuration; earlier orders count as carried
   *     out
   * @param news receives every order, carried out or not
   */
  KeysReload(
      Optional<TrustedProperties> file,
      ReloadableRules rules,
      Instant since,
      Consumer<ReloadOutcome> news,
      LongSupplier nanoTime) {
    this.file = file;
    this.rules = rules;
    this.news = news;
    this.nanoTime = nanoTime;
    done = since;
    checkedNanos = nanoTime.getAsLong() - CHECK_INTERVAL.toNanos();
  }

  /** Checks whether there is an order; returns at once if another thread is checking. */
  void check() {
    if (nanoTime.getAsLong() - checkedNanos >= CHECK_INTERVAL.toNanos() && checking.tryLock()) {
      try {
        obey();
      } finally {
        checking.unlock();
      }
    }
  }

  /**
   * Checks the file and returns the outcome of the last order. If another thread is checking for
   * too long, returns the outcome that is known.
   */
  ReloadOutcome outcome() {
    try {
      if (checking.tryLock(LOCK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          obey();
        } finally {
          checking.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return outcome;
  }

  private void obey() {
    checkedNanos = nanoTime.getAsLong();
    if (file.isEmpty()) {
      return;
    }
    long seenMillis = outcome.readMillis();
    try {
      TrustedProperties.Version version = file.get().version();
      if (version.equals(read)) {
        return;
      }
      seenMillis = version.modifiedMillis();
      ReloadOrder order = ReloadOrder.read(file.get().read());
      if (order.since().isAfter(done)) {
        done = order.since();
        outcome = rules.reload(order).readAt(seenMillis);
        news.accept(outcome);
      }
      read = version;
      outcome = outcome.readAt(seenMillis);
    } catch (IOException | IllegalArgumentException e) {
      refuse(String.valueOf(e.getMessage()), seenMillis);
    }
  }

  /**
   * Refuses an order. The file is read again at the next check, and the same problem is reported
   * once.
   */
  private void refuse(String problem, long seenMillis) {
    boolean told = outcome.problems().equals(List.of(problem));
    outcome = ReloadOutcome.refused(outcome.order(), List.of(problem)).readAt(seenMillis);
    if (!told) {
      news.accept(outcome);
    }
  }
}
