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
 * CPU time each; one after the other, by {@value #WIDTH} threads. It runs as far as the kernel's
 * bandwidth control lets it: at the beginning of each period the quota is added to what is left, up
 * to quota and burst. Time and CPU time are whole nanoseconds, so that the same seed gives the same
 * everywhere.
 */
final class BurstyApplication {
  /** Processors that one request uses at once (ours). */
  static final int WIDTH = 4;

  /** Mean CPU time of a request (ours). */
  static final double MEAN_WORK_NANOS = 40e6;

  private static final long MICRO = 1000;

  /** Where nothing is limited: more than a simulated century of CPU time. */
  private static final long ENDLESS = Long.MAX_VALUE / 4;

  private record Request(long arrivalNanos, long workNanos) {}

  /**
   * What happened since somebody asked last.
   *
   * @param usedNanos CPU time
   * @param periods of its quota that ended
   * @param throttled in how many of them it had to wait
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
  private long availableNanos = ENDLESS;
  private long refillNanos = ENDLESS;
  private boolean heldUp;
  private Round round = new Round(0, 0, 0);

  /**
   * An application that is about to begin, without a quota.
   *
   * @param random its own
   * @param meanCores CPU seconds per second that its requests need in the long run, above 0
   * @param delays takes how long each request waited
   */
  BurstyApplication(Random random, double meanCores, QueueDelays delays) {
    this.random = random;
    this.delays = delays;
    this.meanGapNanos = MEAN_WORK_NANOS / meanCores;
    this.phase = random.nextDouble();
    this.arrivalNanos = exponential(meanGapNanos);
  }

  /** From {@link Random}, and by {@link StrictMath}: the same on every machine. */
  private long exponential(double mean) {
    return Math.max(1, Math.round(-mean * StrictMath.log(1 - random.nextDouble())));
  }

  /** What it has now; empty without a quota. */
  Optional<Bandwidth> bandwidth() {
    return bandwidth;
  }

  /** Gives it a quota; as in the kernel, one quota is there at once, and the period begins anew. */
  void give(Bandwidth wanted) {
    long period = wanted.periodMicros() * MICRO;
    // Each kernel timer starts at another time, or all buckets would be filled at once.
    refillNanos =
        bandwidth.isPresent() ? nowNanos + period : nowNanos + Math.round(phase * period) + 1;
    availableNanos =
        bandwidth.isPresent() ? Math.min(availableNanos, wanted.burstMicros() * MICRO) : 0;
    bandwidth = Optional.of(wanted);
    refill(wanted);
  }

  private void refill(Bandwidth has) {
    availableNanos =
        Math.min(availableNanos + has.quotaMicros() * MICRO, has.atOnceMicros() * MICRO);
  }

  /**
   * Lets time pass.
   *
   * @param untilNanos from the start
   * @return CPU time that it used meanwhile
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

  /** Runs until an instant, or until a request or what may be used ends. */
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
      heldUp = true;
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
    heldUp |= availableNanos == 0;
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
    round = new Round(round.usedNanos(), round.periods() + 1, round.throttled() + (heldUp ? 1 : 0));
    refill(has);
    heldUp = false;
    refillNanos += has.periodMicros() * MICRO;
  }

  /** What happened since this was asked last. */
  Round takeRound() {
    Round taken = round;
    round = new Round(0, 0, 0);
    return taken;
  }

  /** Works off what waits; nothing arrives any more. */
  void drain() {
    arrivalNanos = ENDLESS;
    while (!waiting.isEmpty()) {
      long unused = advance(nowNanos + Math.round(MEAN_WORK_NANOS));
    }
  }
}
