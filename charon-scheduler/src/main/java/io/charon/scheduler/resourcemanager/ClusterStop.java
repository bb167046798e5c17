/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.StopFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order for the cluster in the file of this ResourceManager's host. The file is read when the
 * order is requested, at most five times a second, so there is no thread that a failover would
 * leave behind. One thread reads it at a time, and all others use what was read last: the callers
 * serve production as well, and must not wait for a file system that hangs. Thread-safe.
 */
final class ClusterStop {
  /**
   * Shortest time between two reads of the file; an order takes effect within a second (our
   * choice).
   */
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStop.class);

  private final Supplier<StopFile.State> file;
  private final LongSupplier nanoTime;
  private final Consumer<StopOrder> news;
  private final ReentrantLock checking = new ReentrantLock();
  private volatile StopFile.State state = StopFile.State.unknown();
  private volatile long checkedNanos;

  /**
   * Creates an instance that has read nothing yet.
   *
   * @param file reads the file
   * @param nanoTime monotonic nanoseconds
   * @param news receives every new order, including a stop that is in effect from the start
   */
  ClusterStop(Supplier<StopFile.State> file, LongSupplier nanoTime, Consumer<StopOrder> news) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.news = news;
    this.checkedNanos = nanoTime.getAsLong() - CHECK_INTERVAL.toNanos();
  }

  /**
   * Returns the stop by a file of this host; nothing is read yet.
   *
   * @param file empty if the configuration names none
   * @param news receives every new order, including a stop that is in effect from the start
   */
  static ClusterStop of(Optional<Path> file, Consumer<StopOrder> news) {
    return new ClusterStop(
        new StopFile(
                file.map(path -> ClusterStopFile.of(path, System.getProperty("user.name"))),
                StopKeys.CLUSTER,
                Map.of())
            ::check,
        System::nanoTime,
        news);
  }

  /** Returns the current state of the file; at once if another thread is reading it. */
  StopFile.State state() {
    if (nanoTime.getAsLong() - checkedNanos >= CHECK_INTERVAL.toNanos() && checking.tryLock()) {
      try {
        check();
      } finally {
        checking.unlock();
      }
    }
    return state;
  }

  /**
   * Returns whether no best-effort container may be allocated now. That is also the case while
   * nothing is known: an operator's stop must survive a restart with a file that cannot be used.
   */
  boolean stops() {
    StopFile.State now = state();
    return !now.known() || now.order().stops();
  }

  private void check() {
    checkedNanos = nanoTime.getAsLong();
    StopFile.State before = state;
    StopFile.State now = file.get();
    state = now;
    if (!now.problem().equals(before.problem())) {
      now.problem()
          .ifPresentOrElse(
              problem ->
                  LOG.error(
                      "{} cannot be used, {}: {}",
                      ClusterStopFile.KEY,
                      now.known()
                          ? "the last order applies"
                          : "and the last order is not known: best-effort asks are held until it"
                              + " can be used",
                      problem),
              () -> LOG.info("{} can be used again", ClusterStopFile.KEY));
    }
    if (!now.order().equals(before.order())) {
      news.accept(now.order());
    }
  }
}
