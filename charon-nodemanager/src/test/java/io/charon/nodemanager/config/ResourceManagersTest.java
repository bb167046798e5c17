/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.nodemanager.config.SchedulerSettings.SharingSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class ResourceManagersTest {
  @Test
  void thereIsOneByDefault() throws Exception {
    assertThat(servers("yarn.resourcemanager.hostname", "rm.example"))
        .containsExactly(URI.create("http://rm.example:8088"));
  }

  @Test
  void itsAddressMayBeGiven() throws Exception {
    assertThat(servers("yarn.resourcemanager.webapp.address", "rm.example:1"))
        .containsExactly(URI.create("http://rm.example:1"));
  }

  @Test
  void aServerThatSpeaksHttpsOnlyIsAskedSo() throws Exception {
    assertThat(
            servers(
                "yarn.http.policy", "HTTPS_ONLY",
                "yarn.resourcemanager.hostname", "rm.example",
                "yarn.resourcemanager.webapp.address", "rm.example:1"))
        .containsExactly(URI.create("https://rm.example:8090"));
  }

  @Test
  void allOfAHighlyAvailablePairAreKnown() throws Exception {
    assertThat(
            servers(
                "yarn.resourcemanager.ha.enabled", "true",
                "yarn.resourcemanager.ha.rm-ids", "rm1,rm2",
                "yarn.resourcemanager.hostname.rm1", "one.example",
                "yarn.resourcemanager.hostname.rm2", "two.example",
                "yarn.resourcemanager.webapp.address.rm2", "two.example:2"))
        .containsExactly(URI.create("http://one.example:8088"), URI.create("http://two.example:2"));
  }

  @Test
  void anAddressThatIsNoneIsNamedWithItsKey() {
    assertThatThrownBy(() -> servers("yarn.resourcemanager.webapp.address", "a b"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("share-peaks.enabled")
        .hasMessageContaining("yarn.resourcemanager.webapp.address is 'a b'");
  }

  private static List<URI> servers(String... keysAndValues) throws SettingsException {
    Configuration configuration = new YarnConfiguration();
    configuration.setInt(YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, 5);
    configuration.set("yarn.nodemanager.charon.scheduler.share-peaks.enabled", "true");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      configuration.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    SharingSettings sharing =
        TestSettings.read(configuration).scheduler().profile().sharing().orElseThrow();
    assertThat(sharing.period()).isEqualTo(Duration.ofMinutes(1));
    return sharing.resourceManagers();
  }
}
