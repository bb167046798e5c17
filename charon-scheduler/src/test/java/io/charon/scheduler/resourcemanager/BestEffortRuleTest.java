/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.BestEffortRule;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class BestEffortRuleTest {

  private final Configuration configuration = new Configuration(false);

  @BeforeEach
  void enable() {
    configuration.setBoolean(BestEffortKeys.ENABLED_KEY, true);
  }

  @Test
  void noApplicationIsBestEffortUntilTheRuleIsEnabled() {
    configuration.unset(BestEffortKeys.ENABLED_KEY);
    configuration.set(BestEffortKeys.QUEUES_KEY, "root.batch");
    Settings settings = new Settings(configuration);
    assertThat(BestEffortKeys.rule(settings).reason(Set.of("besteffort"), "root.batch")).isEmpty();
    assertThat(settings.complaints()).isEmpty();

    configuration.set(BestEffortKeys.ENABLED_KEY, "yes");
    Settings wrong = new Settings(configuration);
    assertThat(BestEffortKeys.rule(wrong)).isEqualTo(new BestEffortRule(Set.of(), Set.of()));
    assertThat(wrong.complaints())
        .singleElement()
        .asString()
        .contains(BestEffortKeys.ENABLED_KEY, "'yes'", "true or false");
  }

  @Test
  void defaultsAreThoseOfTheConfigurationFile() {
    assertThat(BestEffortKeys.rule(new Settings(configuration)))
        .isEqualTo(new BestEffortRule(Set.of("besteffort"), Set.of()));
  }

  @Test
  void configuredNamesReplaceTheDefaults() {
    configuration.set(BestEffortKeys.TAGS_KEY, " Nightly, batch ,");
    configuration.set(BestEffortKeys.QUEUES_KEY, "root.batch, best-effort");
    assertThat(BestEffortKeys.rule(new Settings(configuration)))
        .isEqualTo(
            new BestEffortRule(Set.of("nightly", "batch"), Set.of("root.batch", "best-effort")));
  }

  @Test
  void aSingleCommaMeansNoTag() {
    configuration.set(BestEffortKeys.TAGS_KEY, ",");
    assertThat(BestEffortKeys.rule(new Settings(configuration)).tags()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"besteffort", "BestEffort", "BESTEFFORT"})
  void caseOfTagsDoesNotCount(String tag) {
    BestEffortRule rule = new BestEffortRule(Set.of("BestEffort"), Set.of());
    assertThat(rule.reason(Set.of("other", tag), "root.default")).hasValue("tag " + tag);
  }

  @Test
  void anotherTagIsNotBestEffort() {
    BestEffortRule rule = new BestEffortRule(Set.of("besteffort"), Set.of());
    assertThat(rule.reason(Set.of("besteffort2"), "root.default")).isEmpty();
    assertThat(rule.reason(Set.of(), "root.besteffort")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "best-effort, root.best-effort, true",
    "best-effort, root.batch.best-effort, true",
    "best-effort, best-effort, true",
    "best-effort, root.best-effort.alice, false",
    "best-effort, root.Best-Effort, false",
    "best-effort, root.not-best-effort, false",
    "root.best-effort, root.best-effort, true",
    "root.best-effort, root.batch.best-effort, false",
    "root.best-effort, root.best-effort.alice, false"
  })
  void aQueueIsNamedByItsPathOrItsLeaf(String configured, String queue, boolean bestEffort) {
    BestEffortRule rule = new BestEffortRule(Set.of(), Set.of(configured));
    assertThat(rule.reason(Set.of(), queue).isPresent()).isEqualTo(bestEffort);
  }

  @Test
  void theReasonNamesTheQueue() {
    BestEffortRule rule = new BestEffortRule(Set.of(), Set.of("best-effort"));
    assertThat(rule.reason(Set.of(), "root.best-effort")).hasValue("queue root.best-effort");
  }
}
