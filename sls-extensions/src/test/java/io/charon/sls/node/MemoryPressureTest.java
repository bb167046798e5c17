/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import static io.charon.sls.node.NodeHarness.GB;
import static io.charon.sls.node.NodeHarness.THRASH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.ExecutionType;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MemoryPressureTest {
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  @Test
  void whatFitsCostsNothing() {
    assertThat(new MemoryPressure(THRASH, 10, 6, 4).exists()).isFalse();
    assertThat(new MemoryPressure(THRASH, 10, 6, 4.5).exists()).isTrue();
  }

  @Test
  void reclaimTakesFilePagesBeforeAnonymousOnes() {
    MemoryPressure pressure = new MemoryPressure(THRASH, 10, 6, 6);
    assertThat(pressure.anonymousShort()).isZero();
    assertThat(pressure.fileShort()).isEqualTo(2);
  }

  @Test
  void noMoreOfAKindIsTakenThanThereIs() {
    MemoryPressure noFile = new MemoryPressure(THRASH, 10, 15, 0);
    assertThat(noFile.anonymousShort()).isEqualTo(5);
    assertThat(noFile.fileShort()).isZero();
    MemoryPressure littleFile = new MemoryPressure(THRASH, 10, 29, 1);
    assertThat(littleFile.fileShort()).isEqualTo(1);
    assertThat(littleFile.anonymousShort()).isEqualTo(19);
    MemoryPressure noAnonymous = new MemoryPressure(THRASH, 10, 0, 30);
    assertThat(noAnonymous.fileShort()).isEqualTo(20);
  }

  @Test
  void aContainerSlowsByTheCurveOfEachKindAndRefaultsAccordingly() {
    // Anonymous 15 of 10: ratio 1.5, slowdown 3, so two thirds of the time are faults of 100 us.
    NodeContainer container = container(15, 0);
    new MemoryPressure(THRASH, 10 * GB, 15.0 * GB, 0).pace(container, 0.5);
    assertThat(container.speed()).isCloseTo(0.5 / 3, EXACT);
    container.advance(1_000_000_000);
    assertThat(container.anonymousRefaults()).isEqualTo(6666);
    assertThat(container.fileRefaults()).isZero();
  }

  @Test
  void aContainerThatUsesBothKindsSuffersFromEachInProportion() {
    // Half of its memory is anonymous; the other half is file pages, none of which is resident.
    NodeContainer container = container(1, 1);
    MemoryPressure pressure = new MemoryPressure(THRASH, 8.0, 10, 10);
    double anonymous = THRASH.anonymous().slowdown(10.0 / 8) - 1;
    double file = THRASH.file().slowdown(Double.POSITIVE_INFINITY) - 1;
    pressure.pace(container, 1);
    assertThat(container.speed()).isCloseTo(1 / (1 + anonymous / 2 + file / 2), EXACT);
  }

  @Test
  void aTaskWithNothingResidentFaultsOnEachPageAndNoMore() {
    // If half is missing, faults cost the time of 8 runs; if all is missing, twice that.
    ThrashModel.Curve curve =
        new ThrashModel.Curve(
            List.of(new ThrashModel.Point(1, 1, 1), new ThrashModel.Point(2, 9, 1)));
    assertThat(curve.slowdown(4)).isCloseTo(13, EXACT);
    assertThat(curve.slowdown(Double.POSITIVE_INFINITY)).isCloseTo(17, EXACT);
  }

  @Test
  void theShippedCurvesAreMeasurementsThatRise() {
    for (ThrashModel.Curve curve :
        List.of(ThrashModel.measured().anonymous(), ThrashModel.measured().file())) {
      assertThat(curve.slowdown(0.5)).isEqualTo(1);
      assertThat(curve.slowdown(1)).isEqualTo(1);
      // Medians scatter, but twice the memory costs more than memory that nearly fits.
      for (double ratio = 1.05; ratio < 3; ratio += 0.05) {
        assertThat(curve.slowdown(ratio)).isGreaterThan(1.05);
      }
      assertThat(curve.slowdown(2)).isGreaterThan(curve.slowdown(1.1));
      assertThat(curve.slowdown(3)).isGreaterThan(curve.slowdown(2));
      assertThat(curve.slowdown(3)).isGreaterThan(1.5);
    }
  }

  @Test
  void theShippedCurvesReachTwiceTheMemoryAndMore() {
    ThrashModel shipped = ThrashModel.measured();
    for (ThrashModel.Curve curve : List.of(shipped.anonymous(), shipped.file())) {
      assertThat(curve.points().get(curve.points().size() - 1).ratio()).isGreaterThanOrEqualTo(2);
    }
    // A refault from compressed memory costs less than one from a disk.
    assertThat(shipped.anonymous().nanosPerFault(2)).isLessThan(shipped.file().nanosPerFault(2));
  }

  @Test
  void curvesAreReadAsTheyAreWritten() throws IOException {
    assertThat(ThrashModel.read(new StringReader(THRASH.toProperties()))).isEqualTo(THRASH);
    assertThatThrownBy(
            () ->
                ThrashModel.read(
                    new StringReader(THRASH.toProperties().replace("file.ratio", "file.rate"))))
        .hasMessageContaining("no file.ratio");
    assertThatThrownBy(
            () ->
                ThrashModel.read(
                    new StringReader(THRASH.toProperties().replace("5.00 9.00", "9.00"))))
        .hasMessageContaining("curve file differ in length");
  }

  @Test
  void curvesOutOfOrderAreRefused() {
    assertThatThrownBy(() -> new ThrashModel.Curve(List.of(new ThrashModel.Point(1, 1, 1))))
        .hasMessageContaining("one more point");
    assertThatThrownBy(
            () ->
                new ThrashModel.Curve(
                    List.of(new ThrashModel.Point(1, 1, 1), new ThrashModel.Point(1, 2, 1))))
        .hasMessageContaining("must increase");
  }

  @Test
  void killDelaysFollowTheirQuantilesAndTheSizeOfTheVictim() {
    KillDelay delay =
        new KillDelay(
            KillDelay.Quantiles.parse("0:10 50:20 100:100"),
            KillDelay.Quantiles.parse("0:1 100:1"));
    Random random = new Random(3);
    List<Long> drawn =
        random.ints(2000).mapToObj(i -> delay.drawNanos(random, 5 << 20)).sorted().toList();
    assertThat(drawn.get(0)).isBetween(15_000_000L, 15_500_000L);
    assertThat(drawn.get(1000)).isBetween(24_000_000L, 27_000_000L);
    assertThat(drawn.get(1999)).isBetween(100_000_000L, 105_000_000L);
  }

  @Test
  void killDelaysAreReadAsTheyAreWritten() throws IOException {
    KillDelay delay = KillDelay.of(KillDelay.Profile.PAPER, KillDelay.Tier.USER_SPACE);
    Properties properties = new Properties();
    properties.load(new StringReader(delay.toProperties(KillDelay.Tier.USER_SPACE)));
    assertThat(KillDelay.of(properties, KillDelay.Tier.USER_SPACE)).isEqualTo(delay);
  }

  @Test
  void theKernelKillsFasterThanUserSpaceInBothShippedProfiles() {
    for (KillDelay.Profile profile : KillDelay.Profile.values()) {
      KillDelay kernel = KillDelay.of(profile, KillDelay.Tier.KERNEL);
      KillDelay user = KillDelay.of(profile, KillDelay.Tier.USER_SPACE);
      Random one = new Random(5);
      Random other = new Random(5);
      long kernelNanos = 0;
      long userNanos = 0;
      for (int i = 0; i < 1000; i++) {
        kernelNanos += kernel.drawNanos(one, GB);
        userNanos += user.drawNanos(other, GB);
      }
      assertThat(kernelNanos).isLessThan(userNanos);
    }
  }

  private static NodeContainer container(double anonymousGb, double fileGb) {
    return new NodeContainer(
        NodeHarness.task(
            "c",
            ExecutionType.OPPORTUNISTIC,
            1,
            1,
            1000,
            NodeHarness.constant(anonymousGb, fileGb)),
        1,
        0);
  }
}
