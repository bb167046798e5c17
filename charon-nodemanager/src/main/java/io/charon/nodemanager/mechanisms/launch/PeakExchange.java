/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.config.SchedulerSettings.SharingSettings;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.web.http.WebAccess;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.SharedJob;
import io.charon.web.threads.DaemonThreads;
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
 * Reports this node's measured peaks to other nodes and learns theirs, through the ResourceManager.
 * It has its own thread, because the network may block. After a failure the node continues with the
 * peaks that it knows, and tries again.
 */
public final class PeakExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeakExchange.class);

  /** Number of messages in one period; the rest waits for the next period (our choice). */
  private static final int MAX_MESSAGES = 100;

  /**
   * Counters of the exchange.
   *
   * @param done answered messages
   * @param failed periods in which no ResourceManager answered, or the exchange broke off
   * @param jobsLearned jobs that this node knows only from other nodes
   */
  public record Counts(Counter done, Counter failed, Counter jobsLearned) {}

  private final SharingSettings settings;
  private final LaunchGate gate;
  private final Counts counts;
  private final GuardedParts parts;
  private final PeakClient client;
  private final PendingPeakReports pending = new PendingPeakReports();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("charon-peaks-exchange"));
  private int answeredLast;
  private boolean failing;

  /**
   * Creates an exchange that has sent nothing.
   *
   * @param settings the ResourceManagers and the period
   * @param web access to ResourceManagers
   * @param gate measures and learns peaks
   * @param counts counters for the metrics
   */
  public PeakExchange(SharingSettings settings, WebAccess web, LaunchGate gate, Counts counts) {
    this.settings = settings;
    this.client = new PeakClient(web);
    this.gate = gate;
    this.counts = counts;
    this.parts = new GuardedParts(LOG, counts.failed()::inc);
  }

  /** Starts the exchange after a random part of the period, because nodes may start together. */
  public void start() {
    long periodMillis = settings.period().toMillis();
    // An exchange never throws, so the future holds no information.
    var unused =
        thread.scheduleWithFixedDelay(
            () -> parts.run("sharing peaks", this::exchange),
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
          "peaks are not shared, the node uses only its own; retried every {}: {}",
          settings.period(),
          String.join("; ", reasons));
    }
    failing = true;
  }

  private void exchangeWith(URI server) throws IOException, InterruptedException {
    for (int messages = 0; messages < MAX_MESSAGES; messages++) {
      List<SharedJob> mine = pending.of(gate.learned().peaks());
      PeakNews news = client.exchange(server, pending.report(mine));
      boolean newRun = pending.answered(mine, news);
      counts.done().inc();
      // One job per call, because launches wait for the gate during each call.
      for (SharedJob job : news.jobs()) {
        counts.jobsLearned().inc(gate.learnPeaks(List.of(job.peaks())));
      }
      if (!newRun && !news.more() && pending.of(gate.learned().peaks()).isEmpty()) {
        return;
      }
    }
  }

  /** Stops the exchange. Unreported peaks are kept only by the profile's file. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
