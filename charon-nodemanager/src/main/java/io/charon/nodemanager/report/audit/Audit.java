/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.web.threads.DaemonThreads;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point to the audit log for everything that is done, or would be done, on a node. Lines are
 * timestamped at once and written by a separate thread, so that a slow disk delays neither a tick
 * nor a killer nor YARN. If the queue is full, a line is dropped and counted as a failure.
 * Thread-safe.
 */
public final class Audit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

  /** Maximum number of lines that wait for the disk, a few megabytes (our choice). */
  private static final int MAX_WAITING = 4096;

  /** Longest time that closing waits for the last lines (our choice). */
  private static final Duration LAST_LINES = Duration.ofSeconds(3);

  private final Optional<AuditLog> log;
  private final Clock clock;
  private final Counter failures;
  private final Executor writer;
  private final BooleanSupplier drained;
  private final Runnable end;
  private volatile boolean unwritable;
  private volatile boolean overflowing;

  private Audit(
      Optional<AuditLog> log,
      Clock clock,
      Counter failures,
      Executor writer,
      BooleanSupplier drained,
      Runnable end) {
    this.log = log;
    this.clock = clock;
    this.failures = failures;
    this.writer = writer;
    this.drained = drained;
    this.end = end;
  }

  /**
   * Creates an audit that writes on the caller's thread.
   *
   * @param log receives the lines; empty if no audit log is configured
   * @param clock provides their timestamps
   * @param failures counts dropped lines
   */
  public static Audit direct(Optional<AuditLog> log, Clock clock, Counter failures) {
    return new Audit(log, clock, failures, Runnable::run, () -> true, () -> {});
  }

  /**
   * Creates an audit that writes on its own thread.
   *
   * @param log receives the lines; empty if no audit log is configured
   * @param clock provides their timestamps
   * @param failures counts dropped lines
   */
  public static Audit queued(Optional<AuditLog> log, Clock clock, Counter failures) {
    return queued(log, clock, failures, MAX_WAITING);
  }

  /** Creates a queued audit with another queue size; visible for tests. */
  static Audit queued(Optional<AuditLog> log, Clock clock, Counter failures, int mostWaiting) {
    if (log.isEmpty()) {
      return direct(log, clock, failures);
    }
    BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(mostWaiting);
    ExecutorService thread =
        new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, waiting, DaemonThreads.named("charon-audit"));
    return new Audit(log, clock, failures, thread, waiting::isEmpty, () -> end(thread));
  }

  /**
   * Writes a line.
   *
   * @param mechanism the mechanism that decided
   * @param mode the mode of the mechanism
   * @param basis the readings and the rule of the decision
   * @param verb the action
   * @param target the target of the action
   * @param result the outcome
   */
  public void write(
      String mechanism,
      RegulatorMode mode,
      Basis basis,
      String verb,
      String target,
      String result) {
    if (log.isEmpty()) {
      return;
    }
    AuditRecord line =
        new AuditRecord(
            clock.instant().toString(),
            mechanism,
            mode.name().toLowerCase(Locale.ROOT),
            new AuditRecord.Basis(basis.protects(), basis.inputs(), basis.limit()),
            verb,
            target,
            result,
            basis.reason());
    try {
      writer.execute(() -> write(log.get(), line));
    } catch (RejectedExecutionException e) {
      failures.inc();
      if (!overflowing) {
        LOG.warn(
            "the audit's queue is full, or the NodeManager ends; actions are not recorded until the"
                + " queue has drained");
      }
      overflowing = true;
    }
  }

  private void write(AuditLog to, AuditRecord line) {
    try {
      to.write(line);
      unwritable = false;
    } catch (IOException e) {
      failures.inc();
      if (!unwritable) {
        LOG.warn(
            "cannot write the audit; actions are not recorded until it can be written again", e);
      }
      unwritable = true;
    }
    if (drained.getAsBoolean()) {
      overflowing = false;
    }
  }

  /** Writes the lines that are still queued and accepts no more. */
  @Override
  public void close() {
    end.run();
  }

  private static void end(ExecutorService thread) {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LAST_LINES.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the last {} lines of the audit are lost", thread.shutdownNow().size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
