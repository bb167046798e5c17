/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.nodemanager.config.SchedulerSettings;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.web.http.WebAccess;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * The parts of learning that go beyond the containers' own data: jobs are distinguished by name,
 * and learned peaks outlive the NodeManager and are shared, if the operator enabled that.
 */
public final class NodeLearning implements AutoCloseable {
  /** Interval at which learned peaks are written; a crash loses at most this much (our choice). */
  private static final Duration PEAKS_KEPT_EVERY = Duration.ofMinutes(1);

  private final boolean byName;
  private final LaunchGate gate;
  private final Optional<PeakFileStore> keeper;
  private final Optional<PeakExchange> exchange;
  private boolean started;

  /**
   * Creates the parts; nothing runs before {@link #start}.
   *
   * @param settings where peaks are kept, and whether they are shared
   * @param gate the gate that learns
   * @param metrics count messages and failures
   * @param web access to ResourceManagers
   * @param clock dates the kept peaks
   */
  public NodeLearning(
      SchedulerSettings.Profile settings,
      LaunchGate gate,
      NodeMetrics metrics,
      WebAccess web,
      Clock clock) {
    this.byName = settings.applicationNames();
    this.gate = gate;
    this.keeper =
        settings
            .file()
            .map(
                file ->
                    new PeakFileStore(
                        file,
                        settings.windowSamples(),
                        gate,
                        PEAKS_KEPT_EVERY,
                        clock,
                        metrics.toleratedFailures()));
    this.exchange =
        settings
            .sharing()
            .map(
                sharing ->
                    new PeakExchange(
                        sharing,
                        web,
                        gate,
                        new PeakExchange.Counts(
                            metrics.peakExchanges(),
                            metrics.failedPeakExchanges(),
                            metrics.jobsLearnedFromOthers())));
  }

  /** Returns whether jobs are to be distinguished by the names of their applications. */
  public boolean wantsNames() {
    return byName;
  }

  /**
   * Distinguishes jobs by the names of their applications from now on.
   *
   * @param names knows the names
   */
  public void names(ApplicationNames names) {
    gate.names(names::named);
  }

  /** Starts keeping and sharing peaks; a second call has no effect. */
  public void start() {
    if (started) {
      return;
    }
    started = true;
    keeper.ifPresent(PeakFileStore::start);
    exchange.ifPresent(PeakExchange::start);
  }

  @Override
  public void close() {
    exchange.ifPresent(PeakExchange::close);
    keeper.ifPresent(PeakFileStore::close);
  }
}
