/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Reclaims memory of containers in lanes, because neither a tick nor a watch may wait for the
 * kernel. Each request leaves a line in the audit, in mode observe as well. Thread-safe.
 */
final class ReclaimLanes implements AutoCloseable {
  /** Time limit of reclaiming memory from one frozen container (our choice). */
  private static final Duration RECLAIM_TIMEOUT = Duration.ofSeconds(10);

  private static final long MEBIBYTE = 1024 * 1024;

  private final Lanes lanes = new Lanes();
  private final ContainerControl containers;
  private final Counter failures;
  private final LongSupplier nanoClock;
  private final Line coldLine;
  private final Line line;

  /** Receives a request and its result. */
  @FunctionalInterface
  interface Line {
    /** Writes the line, on the lane's thread or on the caller's. */
    void leave(String mechanism, RegulatorMode mode, Action wanted, String result);
  }

  /**
   * Creates lanes in which nothing runs.
   *
   * @param containers reclaims from frozen containers
   * @param failures counts failures
   * @param nanoClock monotonic nanoseconds
   * @param coldLine receives each request of cold memory and its result
   * @param line receives each request of a frozen container's memory and its result
   */
  ReclaimLanes(
      ContainerControl containers,
      Counter failures,
      LongSupplier nanoClock,
      Line coldLine,
      Line line) {
    this.containers = containers;
    this.failures = failures;
    this.nanoClock = nanoClock;
    this.coldLine = coldLine;
    this.line = line;
  }

  /**
   * Reclaims cold memory of running containers, or reports that it would.
   *
   * @param mechanism the mechanism that wants it
   * @param mode the mechanism's mode
   * @param actuator reclaims the memory
   */
  void reclaim(String mechanism, RegulatorMode mode, Action.ReclaimCold wanted, Actuator actuator) {
    if (mode != RegulatorMode.ENFORCE) {
      coldLine.leave(mechanism, mode, wanted, LimitSetter.OBSERVED);
      return;
    }
    lanes.run(
        mechanism + " " + wanted.target(),
        () -> {
          String result;
          try {
            result = "applied: " + actuator.apply(wanted);
          } catch (IOException | RuntimeException e) {
            failures.inc();
            result = "failed: " + (e instanceof IOException ? e.getMessage() : e);
          }
          coldLine.leave(mechanism, mode, wanted, result);
        });
  }

  /**
   * Reclaims memory from a frozen container, in that container's lane, or reports that it would.
   *
   * @param mechanism the mechanism that wants it
   * @param mode the mechanism's mode
   * @param stillWanted whether reclaim is still wanted
   * @param reclaimed receives the number of bytes that went to swap, unless reclaim failed
   */
  void reclaim(
      String mechanism,
      RegulatorMode mode,
      Action.Reclaim wanted,
      BooleanSupplier stillWanted,
      LongConsumer reclaimed) {
    if (mode != RegulatorMode.ENFORCE) {
      reclaimed.accept(0);
      line.leave(mechanism, mode, wanted, LimitSetter.OBSERVED);
      return;
    }
    long untilNanos = nanoClock.getAsLong() + RECLAIM_TIMEOUT.toNanos();
    lanes.run(
        wanted.target(),
        () -> {
          String result;
          try {
            long bytes =
                containers.reclaim(
                    wanted.target(),
                    wanted.bytes(),
                    () -> stillWanted.getAsBoolean() && nanoClock.getAsLong() - untilNanos < 0);
            reclaimed.accept(bytes);
            result = String.format(Locale.ROOT, "applied: %d MiB moved to swap", bytes / MEBIBYTE);
          } catch (IOException e) {
            failures.inc();
            result = "failed: " + e;
          }
          line.leave(mechanism, mode, wanted, result);
        });
  }

  /** Interrupts what runs and waits for it for a while; nothing that waits begins. */
  @Override
  public void close() {
    lanes.close();
  }
}
