/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.web.threads.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes jobs by the names and queues of their applications. Callers never wait: until the
 * directory has answered, and if it does not, a job is identified by the container's own data.
 */
public final class ApplicationNames implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationNames.class);

  /** Number of remembered applications; the least recently used is forgotten first (our choice). */
  private static final int MAX_APPLICATIONS = 1000;

  /** Number of waiting lookups. An application beyond them is looked up when it is seen again. */
  private static final int MAX_WAITING_LOOKUPS = 100;

  /** Time until an unknown application is looked up again (our choice). */
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

  private final ApplicationDirectory directory;
  private final LongSupplier nanoClock;
  private final ThreadPoolExecutor lookups =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING_LOOKUPS),
          DaemonThreads.named("charon-application-names"),
          new ThreadPoolExecutor.DiscardPolicy());
  private final Map<String, LookedUp> applications =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LookedUp> eldest) {
          return size() > MAX_APPLICATIONS;
        }
      };
  private boolean failing;

  /**
   * An application's entry, and the time from which on it may be looked up again if it has none.
   */
  private record LookedUp(Optional<ApplicationDirectory.Entry> entry, long againNanos) {}

  /**
   * Creates an instance that has looked up nothing.
   *
   * @param directory used by a single thread, but closed by the thread that calls {@link #close}
   * @param nanoClock monotonic nanoseconds
   */
  public ApplicationNames(ApplicationDirectory directory, LongSupplier nanoClock) {
    this.directory = directory;
    this.nanoClock = nanoClock;
  }

  /** Looks up an application that has come to this node, because its containers may follow soon. */
  public void prefetch(String applicationId) {
    var unused = known(applicationId);
  }

  /**
   * Returns the same container, with the name of its job if its application is known by now. Never
   * blocks. Production is not looked up, because nothing is learned from it.
   */
  public LaunchRequest named(LaunchRequest request) {
    if (request.executionType() == ExecutionType.GUARANTEED || !request.job().wider().isEmpty()) {
      return request;
    }
    return known(request.owner().application())
        .map(
            entry -> {
              JobKey job = request.job().narrowed(entry.queue(), entry.name());
              return new LaunchRequest(
                  request.containerId(),
                  request.executionType(),
                  job,
                  request.owner(),
                  request.requestedBytes());
            })
        .orElse(request);
  }

  /**
   * Returns the entry of an application; empty, with a lookup started, if it is not known yet.
   * Never blocks.
   */
  public synchronized Optional<ApplicationDirectory.Entry> known(String applicationId) {
    LookedUp known = applications.get(applicationId);
    if (known != null
        && (known.entry().isPresent() || known.againNanos() - nanoClock.getAsLong() > 0)) {
      return known.entry();
    }
    remember(applicationId, Optional.empty());
    lookups.execute(() -> ask(applicationId));
    return Optional.empty();
  }

  private synchronized void remember(
      String applicationId, Optional<ApplicationDirectory.Entry> entry) {
    applications.put(
        applicationId, new LookedUp(entry, nanoClock.getAsLong() + RETRY_INTERVAL.toNanos()));
  }

  private void ask(String applicationId) {
    try {
      Optional<ApplicationDirectory.Entry> entry = directory.find(applicationId);
      remember(applicationId, entry);
      if (failing) {
        LOG.info("application names can be read again");
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (lookups.isShutdown()) {
        return;
      }
      if (!failing) {
        LOG.warn(
            "cannot read application names; jobs of the same user and size count as one job;"
                + " retried after {} for each application: {}",
            RETRY_INTERVAL,
            e.toString());
      }
      failing = true;
    }
  }

  /** Stops lookups without waiting for them; known entries are kept. */
  @Override
  public void close() {
    lookups.shutdownNow();
    directory.close();
  }
}
