/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the model with the kernel's behavior, computed by hand. */
class BurstyApplicationTest {
  private static final long MILLI = 1_000_000;
  private static final Bandwidth FIFTH = new Bandwidth(20_000, 100_000, 0);

  private final QueueDelays delays = new QueueDelays(0);

  /** Draws the given values; after them no request arrives. */
  private static final class Given extends Random {
    private static final long serialVersionUID = 1;

    private final double[] values;
    private int next;

    Given(double... values) {
      this.values = values;
    }

    @Override
    public double nextDouble() {
      return next < values.length ? values[next++] : 1 - 1e-15;
    }
  }

  /** Returns the random value from which the model draws the given number of means. */
  private static double means(double number) {
    return 1 - StrictMath.exp(-number);
  }

  /** The mean gap is 400 ms, the mean work 40 ms; periods begin with the start. */
  private BurstyApplication application(double... means) {
    double[] values = new double[means.length + 1];
    for (int i = 0; i < means.length; i++) {
      values[i + 1] = means(means[i]);
    }
    return new BurstyApplication(new Given(values), 0.1, delays);
  }

  /** 50 ms on four threads at 10 ms: 5 ms, then two further quotas. */
  @Test
  void aBurstWaitsForItsQuotas() {
    BurstyApplication application = application(10.0 / 400, 50.0 / 40);
    application.setQuota(FIFTH);
    assertThat(application.advance(20 * MILLI)).isEqualTo(20 * MILLI);
    assertThat(application.advance(101 * MILLI)).isCloseTo(4 * MILLI, within(10L));
    assertThat(application.advance(1000 * MILLI)).isCloseTo(26 * MILLI, within(10L));
    assertThat(delays.requests()).isEqualTo(1);
    assertThat(delays.highestNanos()).isCloseTo(180 * MILLI, within(10L));
    BurstyApplication.Round round = application.takeRound();
    assertThat(round.usedNanos()).isCloseTo(50 * MILLI, within(10L));
    assertThat(round.throttled()).isEqualTo(2);
    assertThat(round.periods()).isEqualTo(10);
    assertThat(application.takeRound()).isEqualTo(new BurstyApplication.Round(0, 0, 0));
  }

  @Test
  void aBucketHasIt() {
    BurstyApplication application = application(10.0 / 400, 50.0 / 40);
    QuotaVariant.HALF_SECOND.of(FIFTH).ifPresent(application::setQuota);
    assertThat(application.advance(1000 * MILLI)).isCloseTo(50 * MILLI, within(10L));
    assertThat(delays.highestNanos()).isCloseTo(0, within(10L));
    assertThat(application.takeRound().throttled()).isZero();
  }

  /** Unused time is available in the next period, up to the size of the bucket. */
  @Test
  void aBucketHoldsNoMoreThanQuotaAndBurst() {
    BurstyApplication application = application(950.0 / 400, 200.0 / 40);
    application.setQuota(new Bandwidth(20_000, 100_000, 20_000));
    assertThat(application.advance(999 * MILLI)).isCloseTo(40 * MILLI, within(10L));
    assertThat(application.advance(1099 * MILLI)).isCloseTo(20 * MILLI, within(10L));
  }

  @Test
  void theNextOneWaitsForTheOneBeforeIt() {
    BurstyApplication application = application(10.0 / 400, 80.0 / 40, 10.0 / 400, 40.0 / 40);
    assertThat(application.advance(100 * MILLI)).isCloseTo(120 * MILLI, within(10L));
    assertThat(delays.requests()).isEqualTo(2);
    assertThat(delays.highestNanos())
        .as("of 20 ms the first 10")
        .isCloseTo(10 * MILLI, within(10L));
    assertThat(delays.sumNanos()).isCloseTo(10 * MILLI, within(20.0));
  }

  @Test
  void aRaisedQuotaIsThereAtOnce() {
    BurstyApplication application = application(10.0 / 400, 200.0 / 40);
    application.setQuota(FIFTH);
    assertThat(application.advance(50 * MILLI)).isEqualTo(20 * MILLI);
    application.setQuota(new Bandwidth(24_000, 100_000, 0));
    assertThat(application.advance(149 * MILLI)).isEqualTo(24 * MILLI);
    assertThat(application.advance(199 * MILLI)).as("the period began anew").isEqualTo(24 * MILLI);
  }

  @Test
  void whatStillWaitsAtTheEndCounts() {
    BurstyApplication application = application(10.0 / 400, 50.0 / 40);
    application.setQuota(FIFTH);
    assertThat(application.advance(50 * MILLI)).isEqualTo(20 * MILLI);
    application.drain();
    assertThat(delays.requests()).isEqualTo(1);
  }
}
