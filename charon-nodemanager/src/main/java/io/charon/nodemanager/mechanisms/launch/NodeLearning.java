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
 * What a node learns, beyond what its containers say: jobs are told apart by name, and what was
 * learned outlives the NodeManager and is shared, where the operator wants that.
 */
public final class NodeLearning implements AutoCloseable {
  /** How often learned peaks are written, if they are kept: a crash loses so much (ours). */
  private static final Duration PEAKS_KEPT_EVERY = Duration.ofMinutes(1);

  private final boolean byName;
  private final LaunchGate gate;
  private final Optional<PeakFileStore> keeper;
  private final Optional<PeakExchange> exchange;
  private boolean started;

  /**
   * Nothing runs before {@link #start}.
   *
   * @param settings where peaks are kept, and whether they are shared
   * @param gate who learns
   * @param metrics count messages and failures
   * @param web how ResourceManagers are asked
   * @param clock dates what is kept
   */
  public NodeLearning(
      SchedulerSettings settings,
      LaunchGate gate,
      NodeMetrics metrics,
      WebAccess web,
      Clock clock) {
    this.byName = settings.applicationNames();
    this.gate = gate;
    this.keeper =
        settings
            .profileFile()
            .map(
                file ->
                    new PeakFileStore(
                        file,
                        settings.profileWindowSamples(),
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

  /** Whether jobs shall be told apart by the names of their applications. */
  public boolean wantsNames() {
    return byName;
  }

  /**
   * Jobs are told apart by the names of their applications from now on.
   *
   * @param names who knows them
   */
  public void names(ApplicationNames names) {
    gate.names(names::named);
  }

  /** Keeps and shares from now on; a second time changes nothing. */
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
