/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import com.codahale.metrics.Counter;
import io.charon.core.scheduler.LearnedState;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.web.threads.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a node has learned (peaks, safety margin) across restarts of its NodeManager. It
 * writes on its own thread, because the disk may block. After a failure the node continues with the
 * peaks that it knows.
 */
public final class PeakFileStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeakFileStore.class);

  /** How long {@link #close} waits for the disk (our choice). */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final PeakFile file;
  private final LaunchGate gate;
  private final Duration period;
  private final Clock clock;
  private final Counter failures;
  private final GuardedParts parts;
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("charon-peaks"));
  private boolean mayWrite;
  private LearnedState written = LearnedState.NOTHING;
  private boolean failing;

  /**
   * Creates a store that has read and written nothing.
   *
   * @param file where the peaks are kept
   * @param peaksPerJob number of peaks kept of each job
   * @param gate the gate that learns
   * @param period interval at which changes are written
   * @param clock dates peaks that an earlier version kept without their times
   * @param failures counts failed reads and writes
   */
  public PeakFileStore(
      Path file, int peaksPerJob, LaunchGate gate, Duration period, Clock clock, Counter failures) {
    this.file = new PeakFile(file, peaksPerJob);
    this.gate = gate;
    this.period = period;
    this.clock = clock;
    this.failures = failures;
    this.parts = new GuardedParts(LOG, failures::inc);
  }

  /**
   * Restores the peaks learned before and starts to write new ones. A file that could not be read
   * is never replaced.
   */
  public void start() {
    mayWrite = restore();
    if (!mayWrite) {
      return;
    }
    // Writing never throws, so the future holds no information.
    var unused =
        writer.scheduleWithFixedDelay(
            this::save, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Restores the peaks, and returns whether the file may be replaced from now on. */
  private boolean restore() {
    try {
      LearnedState learned = file.read(clock.millis());
      gate.restore(learned);
      written = gate.learned();
      LOG.info("read the peaks of {} jobs from {}", learned.peaks().size(), file);
      return true;
    } catch (PeakFile.UnusableException e) {
      failures.inc();
      return setAside(e);
    } catch (IOException e) {
      failures.inc();
      LOG.warn("cannot read the learned peaks; the node learns anew and saves nothing", e);
      return false;
    }
  }

  private boolean setAside(PeakFile.UnusableException unusable) {
    try {
      LOG.warn(
          "the learned peaks are unusable and the node learns anew; the old file was moved to {}: {}",
          file.setAside(),
          unusable.getMessage());
      return true;
    } catch (IOException e) {
      LOG.warn("{}; the file could not be moved, so nothing is saved", unusable.getMessage(), e);
      return false;
    }
  }

  private void save() {
    parts.run("saving the learned peaks", this::write);
  }

  private void write() {
    try {
      LearnedState learned = gate.learned();
      if (!learned.equals(written)) {
        file.write(learned);
        written = learned;
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      failures.inc();
      if (!failing) {
        LOG.warn("cannot save the learned peaks in {}; retried every {}", file, period, e);
      }
      failing = true;
    }
  }

  /** Writes unsaved peaks, and waits up to 3 s for that. */
  @Override
  public void close() {
    if (mayWrite) {
      writer.execute(this::save);
    }
    if (!DaemonThreads.end(writer, CLOSE_TIMEOUT)) {
      LOG.warn(
          "writing {} takes longer than {}: the newest peaks may be lost", file, CLOSE_TIMEOUT);
    }
  }
}
