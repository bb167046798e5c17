/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.stop.StopOrder;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.StopFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order for the cluster in the file of this ResourceManager's host. The file is read when the
 * order is requested, at most five times a second, so there is no thread that a failover would
 * leave behind. Thread-safe.
 */
final class ClusterStop {
  /**
   * Shortest time between two reads of the file; an order takes effect within a second (our
   * choice).
   */
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStop.class);

  private final StopFile file;
  private final LongSupplier nanoTime;
  private final Consumer<StopOrder> news;
  private StopFile.State state;
  private long checkedNanos;

  /**
   * Reads the file.
   *
   * @param file file of the host; empty if the configuration names none
   * @param nanoTime monotonic nanoseconds
   * @param news receives every new order, including a stop that is in effect from the start
   */
  ClusterStop(Optional<Path> file, LongSupplier nanoTime, Consumer<StopOrder> news) {
    this.file =
        new StopFile(
            file.map(path -> ClusterStopFile.of(path, System.getProperty("user.name"))),
            ClusterStopFile.PREFIX,
            Map.of());
    this.nanoTime = nanoTime;
    this.news = news;
    this.state = new StopFile.State(StopOrder.never(), 0, Optional.empty());
    check();
  }

  /** Returns the current state of the file. */
  synchronized StopFile.State state() {
    if (nanoTime.getAsLong() - checkedNanos >= CHECK_INTERVAL.toNanos()) {
      check();
    }
    return state;
  }

  /** Returns whether no best-effort container may be allocated now. */
  boolean stops() {
    return state().order().stops();
  }

  private void check() {
    StopFile.State before = state;
    checkedNanos = nanoTime.getAsLong();
    state = file.check();
    if (!state.problem().equals(before.problem())) {
      state
          .problem()
          .ifPresent(
              problem ->
                  LOG.error(
                      "{} cannot be used, the last order applies: {}",
                      ClusterStopFile.KEY,
                      problem));
    }
    if (!state.order().equals(before.order())) {
      news.accept(state.order());
    }
  }
}
