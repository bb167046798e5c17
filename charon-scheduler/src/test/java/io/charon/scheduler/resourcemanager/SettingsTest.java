/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class SettingsTest {

  private final Configuration configuration = new Configuration(false);

  @Test
  void defaultsAreThoseOfTheConfigurationFile() {
    Settings settings = new Settings(configuration);
    assertThat(BestEffortLimits.from(settings))
        .isEqualTo(
            new BestEffortLimits(
                Settings.UNLIMITED, Map.of(), Settings.UNLIMITED, true, 1_000, 50_000));
    assertThat(settings.complaints()).isEmpty();
  }

  @Test
  void configuredLimitsReplaceTheDefaults() {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, " 40 ");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".root.batch", "0");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".nightly", "Unlimited");
    configuration.set(BestEffortLimits.ASKS_KEY, "unlimited");
    BestEffortLimits limits = BestEffortLimits.from(new Settings(configuration));

    assertThat(limits.ofQueue("root.batch")).isZero();
    assertThat(limits.ofQueue("root.a.nightly")).isEqualTo(Settings.UNLIMITED);
    assertThat(limits.ofQueue("root.a.batch")).isEqualTo(40);
    assertThat(limits.asksPerApplication()).isEqualTo(Settings.UNLIMITED);
    assertThat(limits.keyOfQueue("root.a.nightly"))
        .isEqualTo(BestEffortLimits.PER_QUEUE_KEY + ".nightly");
    assertThat(limits.keyOfQueue("root.a.batch")).isEqualTo(BestEffortLimits.PER_QUEUE_KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "many", "1.5", "99999999999999999999", "10 containers"})
  void aLimitThatCannotBeUsedHasItsDefaultAndOneComplaint(String value) {
    configuration.set(BestEffortLimits.ASKS_KEY, value, "yarn-site.xml");
    Settings settings = new Settings(configuration);

    assertThat(BestEffortLimits.from(settings).asksPerApplication()).isEqualTo(1_000);
    assertThat(settings.complaints())
        .singleElement()
        .asString()
        .contains(BestEffortLimits.ASKS_KEY, "yarn-site.xml", "'" + value + "'")
        .contains("default 1000 applies", "restart the ResourceManager");
  }

  @Test
  void aQueuesLimitThatCannotBeUsedLeavesTheGeneralOneInForce() {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "40");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".batch", "-5");
    Settings settings = new Settings(configuration);

    assertThat(BestEffortLimits.from(settings).ofQueue("root.batch")).isEqualTo(40);
    assertThat(settings.complaints())
        .singleElement()
        .asString()
        .contains(BestEffortLimits.PER_QUEUE_KEY + ".batch", "'-5'")
        .contains("the value of " + BestEffortLimits.PER_QUEUE_KEY + " applies");
  }

  @Test
  void unknownKeysAreFoundWithTheirSource() {
    configuration.set(BestEffortKeys.TAGS_KEY, "batch");
    configuration.set(BestEffortKeys.QUEUES_KEY, "best-effort");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".root.batch", "7");
    configuration.set("yarn.resourcemanager.charon.best-effort.tag", "batch", "yarn-site.xml");
    configuration.set("yarn.resourcemanager.hostname", "rm");
    assertThat(
            new Settings(configuration)
                .unknownKeys(BestEffortProcessor.KEYS, Set.of(BestEffortLimits.PER_QUEUE_KEY)))
        .containsOnlyKeys("yarn.resourcemanager.charon.best-effort.tag")
        .hasEntrySatisfying(
            "yarn.resourcemanager.charon.best-effort.tag",
            source -> assertThat(source).contains("yarn-site.xml"));
  }

  @Test
  void theConfigurationFileHoldsEveryKeyAndNoOther() throws IOException {
    try (InputStream file = Settings.class.getResourceAsStream("charon-resourcemanager-site.xml")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Pattern.compile("<name>(.*)</name>").matcher(text).results())
          .extracting(match -> match.group(1))
          .containsExactlyInAnyOrderElementsOf(BestEffortProcessor.KEYS);
    }
  }
}
