/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class QueuesCheckTest {
  private static final String CHARON = "yarn.resourcemanager.charon.best-effort.";
  private static final String QUEUE = "yarn.scheduler.capacity.root.best-effort.";

  @TempDir private Path conf;
  private final Map<String, String> site = new LinkedHashMap<>();
  private final Map<String, String> queues = new LinkedHashMap<>();

  /** Sets up the recipe of docs/scheduler-resourcemanager.md. */
  @BeforeEach
  void recipe() {
    site.put(CHARON + "enabled", "true");
    site.put(CHARON + "queues", "root.best-effort");
    queues.put("yarn.scheduler.capacity.root.queues", "default,best-effort");
    queues.put(QUEUE + "maximum-am-resource-percent", "1.0");
    queues.put(QUEUE + "minimum-user-limit-percent", "25");
  }

  @Test
  void theRecipePasses() throws IOException {
    assertThat(run().status()).isEqualTo(CheckStatus.OK);
    site.put(CHARON + "queues", "best-effort");
    assertThat(run().status()).as("by its leaf's name").isEqualTo(CheckStatus.OK);
  }

  @Test
  void yarnsDefaultsLeaveNineTenthsEmptyAndLetOneUserFillTheRest() throws IOException {
    queues.keySet().removeIf(key -> key.startsWith(QUEUE));
    CheckResult result = run();
    assertThat(result.status()).isEqualTo(CheckStatus.DEGRADED);
    assertThat(result.detail())
        .contains("may use 10 % of root.best-effort", "the ApplicationMasters of one user");
    assertThat(result.cure())
        .contains(
            QUEUE + "maximum-am-resource-percent = 1.0",
            QUEUE + "minimum-user-limit-percent = 25",
            "refreshQueues");
  }

  @Test
  void theShareOfAllQueuesCountsWhereAQueueHasNone() throws IOException {
    queues.remove(QUEUE + "maximum-am-resource-percent");
    queues.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.6");
    queues.remove(QUEUE + "minimum-user-limit-percent");
    queues.put("yarn.scheduler.capacity.minimum-user-limit-percent", "50");
    assertThat(run().status()).isEqualTo(CheckStatus.OK);
  }

  @Test
  void aMissingOrNonLeafQueueIsNamed() throws IOException {
    queues.put(QUEUE + "queues", "a,b");
    assertThat(run().detail()).contains("root.best-effort is not a leaf queue");
    site.put(CHARON + "queues", "root.nowhere");
    assertThat(run().detail()).contains("root.nowhere is not a leaf queue");
  }

  @Test
  void withTagsOnlyMastersWaitBehindThoseOfProduction() throws IOException {
    site.remove(CHARON + "queues");
    assertThat(run().detail()).contains("behind those of production");
    assertThat(run().cure()).contains("A queue for best-effort");
  }

  @Test
  void skippedChecksAreReported() throws IOException {
    site.put("yarn.resourcemanager.scheduler.class", "org.example.FairScheduler");
    assertThat(run().detail()).contains("not checked");
    site.clear();
    assertThat(run().detail()).contains("no application is best-effort");
    assertThat(new QueuesCheck(new YarnSite(Optional.empty())).run().status())
        .isEqualTo(CheckStatus.OK);
    Files.delete(conf.resolve("capacity-scheduler.xml"));
    assertThat(check().detail()).contains("capacity-scheduler.xml does not exist");
  }

  @Test
  void unreadableFilesAreNamed() throws IOException {
    queues.put(QUEUE + "maximum-am-resource-percent", "much");
    assertThat(run().detail()).contains(QUEUE + "maximum-am-resource-percent is 'much'");
    Files.writeString(conf.resolve("capacity-scheduler.xml"), "<configuration>");
    assertThat(check().detail()).contains("capacity-scheduler.xml: ");
  }

  private CheckResult run() throws IOException {
    write("yarn-site.xml", site);
    write("capacity-scheduler.xml", queues);
    return check();
  }

  private CheckResult check() {
    return new QueuesCheck(new YarnSite(Optional.of(conf))).run();
  }

  private void write(String name, Map<String, String> values) throws IOException {
    Configuration configuration = new Configuration(false);
    values.forEach(configuration::set);
    try (var out = Files.newBufferedWriter(conf.resolve(name))) {
      configuration.writeXml(out);
    }
  }
}
