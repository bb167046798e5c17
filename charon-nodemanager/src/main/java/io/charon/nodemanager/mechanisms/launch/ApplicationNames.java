/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
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
 * Tells jobs apart by the names and queues of their applications. Who asks never waits: until the
 * directory has answered, and where it does not, a job is what the container itself says.
 */
public final class ApplicationNames implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationNames.class);

  /** Applications that are remembered; the one not seen for longest is forgotten first (ours). */
  private static final int MAX_APPLICATIONS = 1000;

  /** Questions that may wait; an application beyond them is asked for when it is seen again. */
  private static final int MAX_QUESTIONS = 100;

  /** How long nobody asks again for an application that is not known (ours). */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

  private final ApplicationDirectory directory;
  private final LongSupplier nanoClock;
  private final ThreadPoolExecutor asker =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_QUESTIONS),
          task -> {
            Thread thread = new Thread(task, "charon-application-names");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());
  private final Map<String, Asked> applications =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Asked> eldest) {
          return size() > MAX_APPLICATIONS;
        }
      };
  private boolean failing;

  /** What is known of an application, and from when on it may be asked for again. */
  private record Asked(Optional<ApplicationDirectory.Entry> entry, long againNanos) {}

  /**
   * Asks nobody yet.
   *
   * @param directory who knows; asked by one thread only, and closed with this by any
   * @param nanoClock monotonic nanoseconds
   */
  public ApplicationNames(ApplicationDirectory directory, LongSupplier nanoClock) {
    this.directory = directory;
    this.nanoClock = nanoClock;
  }

  /** An application has come to this node: its containers may follow soon. */
  public void expect(String applicationId) {
    var unused = known(applicationId);
  }

  /**
   * The same container, its job named if its application is known by now. Never blocks. Nothing is
   * learned of production, so nobody is asked for it.
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

  /** What is known of an application by now; if nothing is, it is asked for. Never blocks. */
  public synchronized Optional<ApplicationDirectory.Entry> known(String applicationId) {
    Asked known = applications.get(applicationId);
    if (known != null
        && (known.entry().isPresent() || known.againNanos() - nanoClock.getAsLong() > 0)) {
      return known.entry();
    }
    remember(applicationId, Optional.empty());
    asker.execute(() -> ask(applicationId));
    return Optional.empty();
  }

  private synchronized void remember(
      String applicationId, Optional<ApplicationDirectory.Entry> entry) {
    applications.put(applicationId, new Asked(entry, nanoClock.getAsLong() + ASK_AGAIN.toNanos()));
  }

  private void ask(String applicationId) {
    try {
      Optional<ApplicationDirectory.Entry> entry = directory.find(applicationId);
      remember(applicationId, entry);
      if (failing) {
        LOG.info("applications are known by name again");
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (asker.isShutdown()) {
        return;
      }
      if (!failing) {
        LOG.warn(
            "the names of applications are not known, jobs of one user and size count as one;"
                + " asked again after {} for each: {}",
            ASK_AGAIN,
            e.toString());
      }
      failing = true;
    }
  }

  /** Waits for nobody; what is known stays known. */
  @Override
  public void close() {
    asker.shutdownNow();
    directory.close();
  }
}
