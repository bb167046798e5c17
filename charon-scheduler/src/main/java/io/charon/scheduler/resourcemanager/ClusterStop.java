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
 * The order for the cluster in the file of this ResourceManager's host. Whoever needs it asks here,
 * and the file is looked at on the way, at most a few times a second: so there is no thread that a
 * failover would leave behind. Thread-safe.
 */
final class ClusterStop {
  /** An order is to hold within a second (ours). */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStop.class);

  private final StopFile file;
  private final LongSupplier nanoTime;
  private final Consumer<StopOrder> news;
  private StopFile.State state;
  private long lookedNanos;

  /**
   * Reads the file.
   *
   * @param file of the host; empty if the configuration names none
   * @param nanoTime monotonic nanoseconds
   * @param news told of every order that is new, and of a stop that holds from the start
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
    look();
  }

  /** What the file says now. */
  synchronized StopFile.State state() {
    if (nanoTime.getAsLong() - lookedNanos >= BETWEEN_LOOKS.toNanos()) {
      look();
    }
    return state;
  }

  /** Whether no best-effort container may be allocated now. */
  boolean stops() {
    return state().order().stops();
  }

  private void look() {
    StopFile.State before = state;
    lookedNanos = nanoTime.getAsLong();
    state = file.look();
    if (!state.problem().equals(before.problem())) {
      state
          .problem()
          .ifPresent(
              problem ->
                  LOG.error(
                      "{} cannot be used, the last order holds: {}", ClusterStopFile.KEY, problem));
    }
    if (!state.order().equals(before.order())) {
      news.accept(state.order());
    }
  }
}
