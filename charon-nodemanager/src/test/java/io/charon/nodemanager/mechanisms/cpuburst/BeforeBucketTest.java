/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import org.junit.jupiter.api.Test;

/** Tests which values replace a bucket after another party changed the quota. */
class BeforeBucketTest {
  private static final Bandwidth FOUND = new Bandwidth(20_000, 100_000, 5_000);

  private final BeforeBucket before = new BeforeBucket(FOUND);

  @Test
  void theSameShareIsWhatWasFound() {
    Bandwidth bucket = new Bandwidth(100_000, 500_000, 100_000);
    assertThat(before.quota(bucket)).isEqualTo(FOUND);
    assertThat(before.original(bucket)).isEqualTo(FOUND);
    assertThat(before.kept(bucket)).isEqualTo(FOUND);
  }

  /** On v1 period and quota are written one after the other. */
  @Test
  void aChangeThatEndedBetweenItsWritesIsOfTheShareThatWasFound() {
    Bandwidth interrupted = new Bandwidth(20_000, 500_000, 5_000);
    assertThat(before.quota(interrupted)).isEqualTo(FOUND);
    assertThat(before.original(interrupted)).isEqualTo(FOUND);
    assertThat(before.kept(interrupted)).isEqualTo(FOUND);
  }

  @Test
  void anotherShareInTheLongPeriodStaysAndThePeriodDoesNot() {
    Bandwidth raised = new Bandwidth(120_001, 500_000, 100_000);
    assertThat(before.quota(raised)).as("exact").isEqualTo(new Bandwidth(120_001, 500_000, 5_000));
    assertThat(before.original(raised)).isEqualTo(new Bandwidth(24_000, 100_000, 5_000));
    assertThat(before.kept(raised)).isEqualTo(FOUND);
  }

  @Test
  void aPeriodThatAnotherPartySetStays() {
    Bandwidth foreign = new Bandwidth(4_000, 50_000, 0);
    assertThat(before.original(foreign)).isEqualTo(new Bandwidth(4_000, 50_000, 4_000));
    assertThat(before.kept(foreign)).isEqualTo(new Bandwidth(4_000, 50_000, 4_000));
  }

  /** The kernel refuses a quota below 1 ms. */
  @Test
  void aShareTooSmallForTheOriginalPeriodKeepsTheLongOne() {
    Bandwidth tiny = new Bandwidth(4_000, 500_000, 0);
    assertThat(before.original(tiny)).isEqualTo(new Bandwidth(4_000, 500_000, 4_000));
  }
}
