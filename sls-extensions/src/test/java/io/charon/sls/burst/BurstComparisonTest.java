/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.sls.burst.BurstComparison.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the model against figure 14 of SoCC'22: the order of the variants, and impossible results.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BurstComparisonTest {
  private static final double LOAD = 0.45;

  private List<Row> rows;

  @BeforeAll
  void run() {
    rows = BurstComparison.run(List.of(LOAD), 2, 20, 0.45);
  }

  private Row row(QuotaVariant variant) {
    return BurstComparison.rowOf(rows.get(0), variant, rows);
  }

  private double delay(QuotaVariant variant) {
    return row(variant).estimate(BurstOutcome::meanDelayMillis).mean();
  }

  @Test
  void theSameSeedsGiveTheSame() {
    assertThat(BurstComparison.run(List.of(LOAD), 2, 20, 0.45)).isEqualTo(rows);
    assertThat(rows.get(0).outcomes().get(0)).isNotEqualTo(rows.get(0).outcomes().get(1));
  }

  @Test
  void allVariantsGetTheSameWork() {
    assertThat(rows).hasSize(QuotaVariant.values().length);
    for (Row row : rows) {
      assertThat(row.estimate(BurstOutcome::meanUse).mean())
          .as(row.variant().label())
          .isCloseTo(
              row(QuotaVariant.UNLIMITED).estimate(BurstOutcome::meanUse).mean(), within(0.01))
          .isCloseTo(LOAD, within(0.08));
    }
  }

  @Test
  void theLargerTheBucketTheShorterTheDelay() {
    assertThat(delay(QuotaVariant.NONE)).isGreaterThan(2 * delay(QuotaVariant.USUAL));
    assertThat(delay(QuotaVariant.USUAL)).isGreaterThan(2 * delay(QuotaVariant.TENFOLD));
    assertThat(delay(QuotaVariant.HALF_SECOND))
        .as("as Alibaba's kernel")
        .isLessThan(2 * delay(QuotaVariant.TENFOLD));
    assertThat(delay(QuotaVariant.SECOND)).isLessThanOrEqualTo(delay(QuotaVariant.HALF_SECOND));
    assertThat(delay(QuotaVariant.UNLIMITED)).isLessThanOrEqualTo(delay(QuotaVariant.SECOND));
    assertThat(delay(QuotaVariant.SHARED_POOL))
        .isBetween(delay(QuotaVariant.UNLIMITED), delay(QuotaVariant.NONE));
    assertThat(BurstComparison.saved(row(QuotaVariant.UNLIMITED), rows)).isEqualTo(1);
    assertThat(BurstComparison.saved(row(QuotaVariant.NONE), rows)).isZero();
    assertThat(BurstComparison.saved(row(QuotaVariant.HALF_SECOND), rows)).isGreaterThan(0.8);
  }

  @Test
  void onlyQuotasThrottle() {
    BurstOutcome unlimited = row(QuotaVariant.UNLIMITED).outcomes().get(0);
    assertThat(unlimited.throttledPeriods()).isZero();
    assertThat(unlimited.throttledApplications()).isZero();
    BurstOutcome none = row(QuotaVariant.NONE).outcomes().get(0);
    assertThat(none.throttledPeriods()).isBetween(0.01, 0.9);
    assertThat(none.throttledApplications()).isGreaterThan(0.5);
  }

  @Test
  void aPoolThatIsAlwaysFullGivesNothing() {
    BurstSettings full = new BurstSettings(LOAD, 1, 20, 0.01);
    assertThat(BurstPool.run(full, QuotaVariant.SHARED_POOL))
        .isEqualTo(BurstPool.run(full, QuotaVariant.NONE));
    BurstSettings empty = new BurstSettings(LOAD, 1, 20, 1);
    assertThat(BurstPool.run(empty, QuotaVariant.SHARED_POOL).meanQuota()).isBetween(1.2, 3.0);
  }

  @Test
  void partsOfARoundAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new BurstSettings(LOAD, 1, 7, 0.45));
    assertThatIllegalArgumentException().isThrownBy(() -> new BurstSettings(1, 1, 5, 0.45));
  }

  @Test
  void theJsonHasEverySeed(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("new/burst.json");
    new BurstJson().write(rows, 20, 0.45, file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.path("rows")).hasSize(rows.size());
    JsonNode none = json.path("rows").path(0);
    assertThat(none.path("variant").asText()).isEqualTo("none");
    assertThat(none.path("meanDelayMillis").path("seeds")).hasSize(2);
    assertThat(none.path("meanDelayMillis").path("mean").asDouble())
        .isEqualTo(delay(QuotaVariant.NONE));
  }
}
