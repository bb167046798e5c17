/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.config.SharingSettings;
import io.charon.web.http.WebAccess;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.SharedJob;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes what this one has measured and learns from them, through the ResourceManager.
 * It has a thread of its own, because a network may let it wait. Whatever fails, the node goes on
 * with what it knows and tries again.
 */
public final class PeakExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeakExchange.class);

  /** Messages in one period; what is left waits for the next (ours). */
  private static final int MAX_MESSAGES = 100;

  /**
   * What happened so far.
   *
   * @param done messages that were answered
   * @param failed periods in which no ResourceManager answered
   * @param jobsLearned jobs that this node knows only because others told of them
   */
  public record Counts(Counter done, Counter failed, Counter jobsLearned) {}

  private final SharingSettings settings;
  private final LaunchGate gate;
  private final Counts counts;
  private final PeakClient client;
  private final PendingPeakReports pending = new PendingPeakReports();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "charon-peaks-exchange");
            daemon.setDaemon(true);
            return daemon;
          });
  private int answeredLast;
  private boolean failing;

  /**
   * Nothing is told yet.
   *
   * @param settings with whom and how often
   * @param web how they are asked
   * @param gate who measures and learns
   * @param counts for people to read
   */
  public PeakExchange(SharingSettings settings, WebAccess web, LaunchGate gate, Counts counts) {
    this.settings = settings;
    this.client = new PeakClient(web);
    this.gate = gate;
    this.counts = counts;
  }

  /** Exchanges from now on, first after a random part of the period: nodes start together. */
  public void start() {
    long periodMillis = settings.period().toMillis();
    // An exchange never throws, so there is nothing to learn from the future.
    var unused =
        thread.scheduleWithFixedDelay(
            this::exchange,
            ThreadLocalRandom.current().nextLong(periodMillis + 1),
            periodMillis,
            TimeUnit.MILLISECONDS);
  }

  private void exchange() {
    List<String> reasons = new ArrayList<>();
    List<URI> servers = settings.resourceManagers();
    for (int i = 0; i < servers.size(); i++) {
      int index = (answeredLast + i) % servers.size();
      try {
        exchangeWith(servers.get(index));
        answeredLast = index;
        if (failing) {
          LOG.info("peaks are shared again, through {}", servers.get(index));
        }
        failing = false;
        return;
      } catch (IOException | RuntimeException e) {
        reasons.add(servers.get(index) + ": " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    counts.failed().inc();
    if (!failing) {
      LOG.warn(
          "peaks are not shared, and the node goes on with its own; tried again each {}: {}",
          settings.period(),
          String.join("; ", reasons));
    }
    failing = true;
  }

  private void exchangeWith(URI server) throws IOException, InterruptedException {
    for (int messages = 0; messages < MAX_MESSAGES; messages++) {
      List<SharedJob> mine = pending.of(gate.learnedPeaks());
      PeakNews news = client.exchange(server, pending.report(mine));
      boolean newRun = pending.told(mine, news);
      counts.done().inc();
      // Job by job: launches wait for the gate meanwhile.
      for (SharedJob job : news.jobs()) {
        counts.jobsLearned().inc(gate.learnPeaks(List.of(job.peaks())));
      }
      if (!newRun && !news.more() && pending.of(gate.learnedPeaks()).isEmpty()) {
        return;
      }
    }
  }

  /** What has not been told is kept by the profile's file only. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
