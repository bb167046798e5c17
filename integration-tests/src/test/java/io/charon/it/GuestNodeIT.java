/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A NodeManager as user {@code yarn} in a delegated systemd unit on cgroup v2, installed by the
 * commands of docs/install.md; the whole machine is the node. With {@code -Dcharon.it.release=DIR},
 * it uses the release of an earlier {@code bin/charon package --out DIR} instead of making its own.
 */
@Tag("long")
@Tag("must-never")
@Timeout(value = 25, unit = TimeUnit.MINUTES)
class GuestNodeIT {
  private static final String TREE =
      "/sys/fs/cgroup/system.slice/" + GuestNode.UNIT + ".service/charon";
  private static final String WORKLOAD = "/usr/local/bin/workload ";

  /** Size of the file that production reads through a mapping, a small part at a time, MiB. */
  private static final int PAGES = 120;

  /** Page cache of a process outside of YARN, such as a DataNode, MiB. */
  private static final int BLOCKS = 500;

  /** More than best-effort may have, MiB. */
  private static final int GREEDY = 1200;

  /** More than best-effort may have, but less than YARN's share of the machine, MiB. */
  private static final int LARGE = 1000;

  private static final int KEPT_PERCENT = 95;
  private static final long MEBIBYTE = 1L << 20;

  private GuestNode node;
  private OwnMaster production;
  private OwnMaster bestEffort;

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
  void installedByThePageItRunsProtectsAndRestarts() throws Exception {
    install();
    production = new OwnMaster(node.configuration(), TestNode.PRODUCTION_QUEUE);
    bestEffort = new OwnMaster(node.configuration());
    Container service =
        production.run(
            WORKLOAD + "work-mapped /var/tmp/pages %d 20 200".formatted(PAGES), PAGES + 80);
    node.await("production holds its pages", () -> pages(service) >= kept());
    node.run("systemd-run --unit datanode " + WORKLOAD + "cache /var/tmp/blocks");
    node.await("page cache outside of YARN", () -> outside() >= BLOCKS * KEPT_PERCENT / 100);

    bestEffort.run("while " + WORKLOAD + "stream /var/tmp/stream 1; do sleep 1; done", 64);
    bestEffort.run(WORKLOAD + "idle 60", 100);
    node.await("best-effort runs", () -> running().size() == 3);
    node.await(
        "in their cgroups",
        () ->
            node.run("ls " + TREE + "/best-effort")
                    .lines()
                    .filter(n -> n.startsWith("container_"))
                    .count()
                == 2);
    theLimitIsUp(service);
    onceProductionIsProtectedBestEffortGetsPageCacheOfNobody(service);
    aContainerThatNeedsMoreThanIsFreeWaits();
    aContainerThatUsesTooMuchIsKilled(bestEffort);
    assertThat(production.ended(service)).isEmpty();
    allOfItGoesOnOverARestart();
    theLinesThatStayInTheDropInKeepContainersOverARestart();
    nothingIsLeft();
    containersOfAnotherUserAreProtectedAndKilledToo();
  }

  /** Follows the page from its top to its end, as root on a new machine. */
  private void install() throws Exception {
    Map<String, Integer> files = new TreeMap<>();
    files.put("/var/tmp/pages", PAGES);
    files.put("/var/tmp/blocks", BLOCKS);
    files.put("/var/tmp/stream", 900);
    node.prepare(files);
    node.follow("bash unpack");
    node.follow("bash check");
    node.follow("bash install");
    node.run("systemctl restart " + GuestNode.UNIT);
    node.await("the node answers", () -> !node.status().isMissingNode());
    assertThat(node.follow("bash status")).contains("mode observe", "all as installed");
    node.follow("bash killer");
    delegate();
    node.follow("bash helper");
    assertThat(node.run("systemctl is-enabled charon-ua-killer")).isEqualTo("enabled");
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

  /** A container that ran before is in the unit's own cgroup, where it must not be afterwards. */
  private void delegate() throws Exception {
    try (OwnMaster earlier = new OwnMaster(node.configuration(), TestNode.PRODUCTION_QUEUE)) {
      Container early = earlier.run(WORKLOAD + "idle 20", 64);
      node.await(
          "a container runs in the unit", () -> running().contains(early.getId().toString()));
      node.addDropIn();
      node.follow("bash delegated");
      node.await("the node answers", () -> !node.status().isMissingNode());
      node.await("the container has ended", () -> earlier.ended(early).isPresent());
    }
  }

  private void theLimitIsUp(Container service) throws Exception {
    node.await("the limit is up, and moved", this::limitIsMoved);
    String file = TREE + "/best-effort/memory.max";
    node.await("the kernel has it", () -> !node.run("cat " + file).equals("max"));
    node.say("limit of the whole machine: " + limitOfStatus());
    assertThat(limitOfStatus().path("limit").asLong() / MEBIBYTE).isGreaterThan(200);
    assertThat(node.answer().has("outsideCgroups")).isFalse();
    long fewest = PAGES;
    for (int look = 0; look < 10; look++) {
      fewest = Math.min(fewest, pages(service));
      Thread.sleep(1000);
    }
    node.say("beside a reader production held at least MiB " + fewest + " of " + PAGES);
    assertThat(fewest).isGreaterThanOrEqualTo(kept());
  }

  /** The cgroups above the containers have no memory.low until root gives it to them. */
  private void onceProductionIsProtectedBestEffortGetsPageCacheOfNobody(Container service)
      throws Exception {
    node.await("what is missing is said", () -> noteOfLimit().contains("memory.low"));
    node.say(noteOfLimit());
    long before = limitOfStatus().path("limit").asLong() / MEBIBYTE;
    node.run(
        "systemctl set-property system.slice MemoryLow=1G; systemctl set-property %s.service MemoryLow=1G; echo 1G >%s/memory.low"
            .formatted(GuestNode.UNIT, TREE));
    node.await("nothing is missing", () -> !noteOfLimit().contains("memory.low"));
    node.await(
        "the limit rises into it",
        () -> limitOfStatus().path("limit").asLong() / MEBIBYTE >= before + BLOCKS / 4);
    node.say(
        "limit without and with protection, MiB: %d, %d"
            .formatted(before, limitOfStatus().path("limit").asLong() / MEBIBYTE));
    assertThat(
            Long.parseLong(
                node.run("cat %s/production/%s/memory.low".formatted(TREE, service.getId()))))
        .as("its reservation, which YARN rounds up")
        .isBetween((PAGES + 80) * MEBIBYTE, (PAGES + 96) * MEBIBYTE);
    assertThat(pages(service)).isGreaterThanOrEqualTo(kept());
  }

  private String noteOfLimit() throws InterruptedException {
    return limitOfStatus().path("signalNote").asText();
  }

  private void aContainerThatNeedsMoreThanIsFreeWaits() throws Exception {
    Container large = bestEffort.run(WORKLOAD + "idle 10", LARGE);
    node.await("who needs more than there is waits", () -> !queued(large).isMissingNode());
    node.say(queued(large).path("reason").asText());
    assertThat(running()).hasSize(3);
    bestEffort.release(large);
    node.await("it waits no longer", () -> queued(large).isMissingNode());
  }

  private void aContainerThatUsesTooMuchIsKilled(OwnMaster master) throws Exception {
    Container greedy = master.run(WORKLOAD + "anonymous %d 2".formatted(GREEDY), 64);
    node.await("who takes too much dies", () -> master.ended(greedy).isPresent());
    ContainerStatus status = master.ended(greedy).orElseThrow();
    node.say(status.getDiagnostics());
    assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED);
    // The ApplicationMaster may know its end before the node's next status does.
    String id = greedy.getId().toString();
    node.await("the node knows its end", () -> !running().contains(id));
  }

  private void containersOfAnotherUserAreProtectedAndKilledToo() throws Exception {
    node.useLinuxExecutor();
    node.await("the kernel killer is in charge", this::kernelIsInCharge);
    try (OwnMaster master = new OwnMaster(node.configuration())) {
      Container task = master.run(WORKLOAD + "idle 20", 64);
      String procs = TREE + "/best-effort/" + task.getId() + "/cgroup.procs";
      node.await(
          "it runs in its cgroup, as nobody",
          () ->
              node.run("for p in $(cat %s); do stat -c %%U /proc/$p; done || true".formatted(procs))
                  .lines()
                  .anyMatch("nobody"::equals));
      assertThat(node.answer().has("outsideCgroups")).isFalse();
      node.say("failures tolerated: " + node.answer().at("/counters/toleratedFailures"));
      aContainerThatUsesTooMuchIsKilled(master);
      assertThat(running()).containsExactly(task.getId().toString());
    }
    node.await("nothing runs", () -> running().isEmpty());
  }

  /** The first step of the page's removal; the drop-in is whole again afterwards. */
  private void theLinesThatStayInTheDropInKeepContainersOverARestart() throws Exception {
    node.follow("bash undelegate");
    assertThat(node.run("systemctl cat " + GuestNode.UNIT)).doesNotContain("ua-killer");
    allOfItGoesOnOverARestart();
    node.addDropIn();
    node.run("systemctl daemon-reload");
  }

  private void allOfItGoesOnOverARestart() throws Exception {
    Set<String> before = running();
    String processes = processes();
    node.run("systemctl restart " + GuestNode.UNIT);
    node.await("all of it goes on", () -> running().equals(before));
    node.await("the kernel killer is in charge again", this::kernelIsInCharge);
    node.await("the limit is moved again", this::limitIsMoved);
    assertThat(processes()).isEqualTo(processes);
    assertThat(node.answer().has("outsideCgroups")).isFalse();
  }

  private void nothingIsLeft() throws Exception {
    bestEffort.close();
    production.close();
    node.await("nothing runs", () -> running().isEmpty());
    node.run("systemctl stop " + GuestNode.UNIT);
    assertThat(node.run("find " + TREE + " -name 'container_*' || true")).isEmpty();
  }

  /** Returns the first process of each task; a task may start and end others at any time. */
  private String processes() throws IOException {
    return node.run("head -n 1 " + TREE + "/*/container_*/cgroup.procs");
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

  private Set<String> running() throws InterruptedException {
    Set<String> running = new TreeSet<>();
    node.answer().path("running").forEach(one -> running.add(one.path("containerId").asText()));
    return running;
  }

  private boolean kernelIsInCharge() throws InterruptedException {
    return node.status().path("killer").path("inCharge").asText().equals("kernel");
  }

  private boolean limitIsMoved() throws InterruptedException {
    return limitOfStatus().path("cores").asText().startsWith("moved every 20 ms");
  }

  private JsonNode limitOfStatus() throws InterruptedException {
    return find("regulators", "name", "memory-limit");
  }

  private JsonNode queued(Container container) throws InterruptedException {
    return find("queued", "containerId", container.getId().toString());
  }

  private JsonNode find(String list, String key, String value) throws InterruptedException {
    return StreamSupport.stream(node.answer().path(list).spliterator(), false)
        .filter(one -> one.path(key).asText().equals(value))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static long kept() {
    return PAGES * KEPT_PERCENT / 100;
  }
}
