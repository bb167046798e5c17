/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/**
 * An application whose requests arrive at random (Poisson) and need an exponentially distributed
 * CPU time each. The requests run one after the other, each on {@value #WIDTH} threads, as far as
 * the kernel's bandwidth control allows: at the beginning of each period the quota is added to the
 * remaining budget, up to quota plus burst. Time and CPU time are whole nanoseconds, so a seed
 * gives the same result on every machine.
 */
final class BurstyApplication {
  /** Processors that one request uses at the same time (our choice). */
  static final int WIDTH = 4;

  /** Mean CPU time of a request (our choice). */
  static final double MEAN_WORK_NANOS = 40e6;

  private static final long MICRO = 1000;

  /** The value that stands for no limit: more than a simulated century of CPU time. */
  private static final long UNLIMITED_NANOS = Long.MAX_VALUE / 4;

  private record Request(long arrivalNanos, long workNanos) {}

  /**
   * The use since the last call of {@link #takeRound}.
   *
   * @param usedNanos CPU time
   * @param periods periods of the quota that ended
   * @param throttled periods among these in which the application had to wait
   */
  record Round(long usedNanos, long periods, long throttled) {}

  private final Random random;
  private final double meanGapNanos;
  private final double phase;
  private final QueueDelays delays;
  private final Queue<Request> waiting = new ArrayDeque<>();
  private Optional<Bandwidth> bandwidth = Optional.empty();
  private long nowNanos;
  private long arrivalNanos;
  private long leftNanos;
  private long availableNanos = UNLIMITED_NANOS;
  private long refillNanos = UNLIMITED_NANOS;
  private boolean throttled;
  private Round round = new Round(0, 0, 0);

  /**
   * Creates an application without a quota, before its first request.
   *
   * @param random random numbers of this application alone
   * @param meanCores CPU seconds per second that the requests need in the long run, above 0
   * @param delays receives the waiting time of each request
   */
  BurstyApplication(Random random, double meanCores, QueueDelays delays) {
    this.random = random;
    this.delays = delays;
    this.meanGapNanos = MEAN_WORK_NANOS / meanCores;
    this.phase = random.nextDouble();
    this.arrivalNanos = exponential(meanGapNanos);
  }

  /** Uses {@link Random} and {@link StrictMath}, which give the same values on every machine. */
  private long exponential(double mean) {
    return Math.max(1, Math.round(-mean * StrictMath.log(1 - random.nextDouble())));
  }

  /** Returns the current bandwidth; empty without a quota. */
  Optional<Bandwidth> bandwidth() {
    return bandwidth;
  }

  /** Sets a quota. As in the kernel, one quota is available at once and a new period begins. */
  void setQuota(Bandwidth wanted) {
    long period = wanted.periodMicros() * MICRO;
    // Kernel timers start at different times; without the phase all buckets would be refilled at
    // once.
    refillNanos =
        bandwidth.isPresent() ? nowNanos + period : nowNanos + Math.round(phase * period) + 1;
    availableNanos =
        bandwidth.isPresent() ? Math.min(availableNanos, wanted.burstMicros() * MICRO) : 0;
    bandwidth = Optional.of(wanted);
    refill(wanted);
  }

  private void refill(Bandwidth has) {
    availableNanos =
        Math.min(availableNanos + has.quotaMicros() * MICRO, has.maxAtOnceMicros() * MICRO);
  }

  /**
   * Advances virtual time.
   *
   * @param untilNanos the time to advance to, from the start
   * @return CPU time that the application used meanwhile
   */
  long advance(long untilNanos) {
    long used = 0;
    while (nowNanos < untilNanos) {
      used += step(Math.min(untilNanos, Math.min(arrivalNanos, refillNanos)));
      if (nowNanos == arrivalNanos) {
        arrive();
      }
      if (nowNanos == refillNanos) {
        endPeriod();
      }
    }
    round = new Round(round.usedNanos() + used, round.periods(), round.throttled());
    return used;
  }

  /** Runs until an instant, or until the current request or the available CPU time is used up. */
  private long step(long untilNanos) {
    long servable = Math.min(leftNanos, availableNanos);
    if (servable <= 0) {
      nowNanos = untilNanos;
      return 0;
    }
    long needed = (servable + WIDTH - 1) / WIDTH;
    long lasts = Math.min(needed, untilNanos - nowNanos);
    long used = Math.min(servable, lasts * WIDTH);
    nowNanos += lasts;
    leftNanos -= used;
    availableNanos -= bandwidth.isPresent() ? used : 0;
    if (leftNanos == 0) {
      complete();
    } else if (availableNanos == 0) {
      throttled = true;
    }
    return used;
  }

  private void arrive() {
    waiting.add(new Request(nowNanos, exponential(MEAN_WORK_NANOS)));
    if (waiting.size() == 1) {
      begin();
    }
    arrivalNanos = nowNanos + exponential(meanGapNanos);
  }

  private void begin() {
    leftNanos = waiting.element().workNanos();
    throttled |= availableNanos == 0;
  }

  private void complete() {
    Request done = waiting.remove();
    long alone = (done.workNanos() + WIDTH - 1) / WIDTH;
    delays.add(done.arrivalNanos(), nowNanos - done.arrivalNanos() - alone);
    if (!waiting.isEmpty()) {
      begin();
    }
  }

  private void endPeriod() {
    Bandwidth has = bandwidth.orElseThrow();
    round =
        new Round(round.usedNanos(), round.periods() + 1, round.throttled() + (throttled ? 1 : 0));
    refill(has);
    throttled = false;
    refillNanos += has.periodMicros() * MICRO;
  }

  /** Returns the use since the last call of this method. */
  Round takeRound() {
    Round taken = round;
    round = new Round(0, 0, 0);
    return taken;
  }

  /** Completes the waiting requests; no further requests arrive. */
  void drain() {
    arrivalNanos = UNLIMITED_NANOS;
    while (!waiting.isEmpty()) {
      long unused = advance(nowNanos + Math.round(MEAN_WORK_NANOS));
    }
  }
}
