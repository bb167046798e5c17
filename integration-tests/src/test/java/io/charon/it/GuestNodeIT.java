/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A NodeManager as user {@code yarn} in a delegated unit of systemd, on cgroup v2, installed by the
 * commands of docs/install.md; the whole machine is the node. With the release of an earlier {@code
 * bin/charon package --out DIR} and {@code -Dcharon.it.release=DIR} it need not make its own.
 */
@Tag("long")
@Tag("must-never")
@Timeout(value = 25, unit = TimeUnit.MINUTES)
class GuestNodeIT {
  private static final String TREE =
      "/sys/fs/cgroup/system.slice/" + GuestNode.UNIT + ".service/charon";
  private static final String WORKLOAD = "/usr/local/bin/workload ";

  /** What production reads through a mapping, a little of it at any time. */
  private static final int PAGES = 120;

  /** What somebody outside of YARN has read, as a DataNode has. */
  private static final int BLOCKS = 500;

  private static final int KEPT_PERCENT = 95;
  private static final long MEBIBYTE = 1L << 20;

  private GuestNode node;

  @BeforeEach
  void boot() throws Exception {
    node = GuestNode.boot();
  }

  @AfterEach
  void end() throws IOException {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void installedByThePageItRunsProductionAndTheKernelKillerIsInCharge() throws Exception {
    install();
    OwnMaster production = new OwnMaster(node.configuration(), TestNode.PRODUCTION_QUEUE);
    Container service =
        production.run(
            WORKLOAD + "work-mapped /var/tmp/pages %d 20 200".formatted(PAGES), PAGES + 80);
    node.await("production holds its pages", () -> pages(service) >= kept());
    node.run("systemd-run --unit datanode " + WORKLOAD + "cache /var/tmp/blocks");
    node.await("page cache outside of YARN", () -> outside() >= BLOCKS * KEPT_PERCENT / 100);
    production.close();
  }

  /** The page, step by step, as root of a new machine. */
  private void install() throws Exception {
    node.follow("bash unpack");
    node.follow("bash check");
    node.follow("bash install");
    Map<String, Integer> files = new TreeMap<>();
    files.put("/var/tmp/pages", PAGES);
    files.put("/var/tmp/blocks", BLOCKS);
    node.prepare(files);
    node.follow("bash killer");
    node.follow("bash delegated");
    node.await("the node answers", () -> !node.status().isMissingNode());
    assertThat(node.follow("bash status")).contains("mode observe", "all as installed");
    node.follow("bash enable");
    node.await("Charon decides", () -> node.status().path("mode").asText().equals("enforce"));
    node.await("the kernel killer is in charge", this::kernelIsInCharge);
    assertThat(node.status().path("node").path("boundary").asText()).isEqualTo("host");
    assertThat(
            node.run(
                "stat -c %%U /proc/$(systemctl show -P MainPID %1$s); cat /proc/$(systemctl show -P MainPID %1$s)/cgroup"
                    .formatted(GuestNode.UNIT)))
        .isEqualTo("yarn\n0::/system.slice/" + GuestNode.UNIT + ".service/nodemanager");
  }

  private long pages(Container container) throws IOException {
    return fileMebibytes(TREE + "/production/" + container.getId());
  }

  private long outside() throws IOException {
    return fileMebibytes("/sys/fs/cgroup/system.slice/datanode.service");
  }

  private long fileMebibytes(String cgroup) throws IOException {
    String bytes = node.run("sed -n 's/^file //p' %s/memory.stat || true".formatted(cgroup));
    return bytes.matches("\\d+") ? Long.parseLong(bytes) / MEBIBYTE : 0;
  }

  private boolean kernelIsInCharge() throws InterruptedException {
    return node.status().path("killer").path("inCharge").asText().equals("kernel");
  }

  private static long kept() {
    return PAGES * KEPT_PERCENT / 100;
  }
}
