/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.kill.VictimChoice.Policy;
import io.charon.killer.client.KernelKiller.ContainerSample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the client against the killer that is really loaded into this kernel. */
class KernelKillerTest {
  /** These tests check answers on a machine that may be busy; one checks the time to answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @Test
  void readsWhatTheToolLoaded(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"), "--tier", "3");
        KernelKiller killer = open(machine)) {
      assertThat(killer.tier()).isEqualTo(KernelTier.USER);
      assertThat(killer.reason()).isEqualTo("requested with --tier 3");
      assertThat(killer.helperRuns()).isTrue();
      assertThat(killer.effective()).as("tier 3 with its helper").isTrue();
      long domain = CgroupId.of(machine.domain());
      assertThat(killer.domains()).containsExactly(domain);
      assertThat(killer.killableRoots(domain)).containsExactly(domain);
      assertThat(killer.killableRoots(domain + 1)).isEmpty();
      assertThat(killer.decisionsSince(0)).isEmpty();
      assertThat(killer.decision(1)).isEmpty();
    }
  }

  @Test
  void aPromotedContainerIsMovedWhereRootSaid(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      Path container = machine.container("best-effort").resolve("container_1");
      Path promoted = machine.container("production").resolve("container_1");
      Files.createDirectories(container);
      Process process = new ProcessBuilder("sleep", "60").start();
      try {
        Files.writeString(container.resolve("cgroup.procs"), Long.toString(process.pid()));
        assertThatThrownBy(() -> killer.move(domain, CgroupId.of(container)))
            .isInstanceOf(KernelKillerException.class)
            .hasMessageContaining("not directly in a cgroup");

        machine.run(
            "domain",
            "add",
            machine.domain().toString(),
            "--killable-below",
            container.getParent().toString(),
            "--promote-to",
            promoted.getParent().toString());
        assertThat(killer.move(domain, CgroupId.of(container))).isEqualTo(1);
        assertThat(promoted.resolve("cgroup.procs")).hasContent(Long.toString(process.pid()));
      } finally {
        process.destroyForcibly().waitFor();
        remove(container);
        remove(promoted);
      }
    }
  }

  /** A process that has ended leaves its cgroup only a moment later. */
  private static void remove(Path cgroup) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (Files.exists(cgroup)) {
      try {
        Files.delete(cgroup);
      } catch (IOException e) {
        assertThat(System.nanoTime()).as(e.toString()).isLessThan(end);
        Thread.sleep(10);
      }
    }
  }

  @Test
  void itsRegistrationsAreWhatTheToolShows(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      long killable = CgroupId.of(machine.container("best-effort"));
      long watched = CgroupId.of(machine.container("production"));
      ContainerRegistration young = new ContainerRegistration(System.nanoTime() - 1, 7);
      assertThat(
              killer.update(
                  domain,
                  Map.of(killable, young, watched, new ContainerRegistration(0, 0)),
                  Set.of()))
          .isEmpty();

      String status = machine.run("--json", "status");
      assertThat(status)
          .contains("best-effort\",\"killable\":true,\"score\":7")
          .contains("production\",\"killable\":false,\"score\":0");
      assertThat(killer.registrations(domain))
          .isEqualTo(Map.of(killable, young, watched, new ContainerRegistration(0, 0)));
      assertThat(killer.registrations(domain + 1)).isEmpty();

      killer.update(domain, Map.of(killable, new ContainerRegistration(0, 8)), Set.of());
      assertThat(killer.registrations(domain).get(killable))
          .as("without a start it keeps its own")
          .isEqualTo(new ContainerRegistration(young.startNanos(), 8));

      assertThat(killer.update(domain, Map.of(), Set.of(killable, 1L << 40))).isEmpty();
      assertThat(killer.registrations(domain)).containsOnlyKeys(watched);
      assertThat(killer.samples(watched)).as("nothing was reclaimed").isEmpty();
    }
  }

  @Test
  void oneThatIsRefusedKeepsNoneOfHundredsFromBeingRegistered(@TempDir Path directory)
      throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      long foreign = CgroupId.of(machine.domain().getParent());
      Map<Long, ContainerRegistration> many = new HashMap<>();
      many.put(foreign, new ContainerRegistration(0, 1));
      for (int i = 0; i < 500; i++) {
        many.put(
            CgroupId.of(machine.container("container-" + i)),
            new ContainerRegistration(System.nanoTime(), 1));
      }
      Map<Long, String> refused = killer.update(domain, many, Set.of());
      assertThat(refused).containsOnlyKeys(foreign);
      assertThat(refused.get(foreign)).contains("not below the domain");
      many.remove(foreign);
      assertThat(killer.registrations(domain)).isEqualTo(many);
    }
  }

  @Test
  void changesSettingsWithinTheLimitsOfRoot(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      assertThat(killer.settings(domain))
          .contains(
              new DomainSettings(Duration.ofSeconds(3), Policy.MEMORY_PER_TIME, Duration.ZERO));
      machine.run("set", "min-pages", "77");
      DomainSettings values =
          new DomainSettings(Duration.ofMillis(1500), Policy.SCORE, Duration.ofSeconds(1));
      killer.change(domain, values);
      assertThat(killer.settings(domain)).contains(values);
      assertThat(machine.run("--json", "status"))
          .contains("\"cgthTimeSeconds\":1.500,\"policy\":\"score\"")
          .contains("\"minPages\":77");
      assertThatThrownBy(
              () ->
                  killer.change(
                      domain,
                      new DomainSettings(Duration.ofHours(1), Policy.SCORE, Duration.ofSeconds(1))))
          .hasMessageContaining("100 to 600000");
      assertThatThrownBy(() -> killer.change(1, values)).hasMessageContaining("no such domain");

      machine.run("set", "cgth-time-ms", "5000");
      assertThat(killer.isCurrent()).isTrue();
      assertThat(killer.settings(domain))
          .contains(new DomainSettings(Duration.ofSeconds(5), Policy.SCORE, Duration.ofSeconds(1)));
    }
  }

  @Test
  void noticesThatTheHelperWasRestartedAndFindsEverythingAgain(@TempDir Path directory)
      throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      long container = CgroupId.of(machine.container("best-effort"));
      killer.update(domain, Map.of(container, new ContainerRegistration(5, 7)), Set.of());
      assertThat(killer.isCurrent()).isTrue();

      machine.endHelper();
      assertThatThrownBy(killer::isCurrent).isInstanceOf(KernelKillerException.class);
      assertThatThrownBy(() -> open(machine)).hasMessageContaining("its helper is not running");

      machine.startHelper(Map.of());
      assertThatThrownBy(killer::isCurrent).isInstanceOf(KernelKillerException.class);
      try (KernelKiller again = open(machine)) {
        assertThat(again.registrations(domain))
            .isEqualTo(Map.of(container, new ContainerRegistration(5, 7)));
      }
    }
  }

  @Test
  void aHelperEndsWithWhatItServed(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      machine.run("unload");
      machine.run("load"); // at once: the helper must not mistake it for the killer that it served
      machine.awaitHelperEnd();
      assertThatThrownBy(killer::isCurrent).isInstanceOf(KernelKillerException.class);
    }
  }

  @Test
  void aHelperThatHangsCostsNoMoreThanTheTimeout(@TempDir Path directory) throws Exception {
    Duration timeout = Duration.ofMillis(200);
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = KernelKiller.open(machine.socket(), timeout)) {
      machine.signalHelper("STOP");
      long began = System.nanoTime();
      assertThatThrownBy(killer::isCurrent).hasMessageContaining("no answer within 200 ms");
      for (int i = 0; i < 100; i++) {
        assertThatThrownBy(() -> killer.decisionsSince(0)).hasMessageContaining("the helper at");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("all requests together")
          .isBetween(timeout, timeout.multipliedBy(4));

      began = System.nanoTime();
      assertThatThrownBy(() -> KernelKiller.open(machine.socket(), timeout))
          .hasMessageContaining("no answer within 200 ms");
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(timeout, timeout.multipliedBy(4));

      machine.signalHelper("CONT");
      open(machine).close();
    }
  }

  @Test
  void readsADecisionAsTheToolPrintsIt(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = open(machine)) {
      long domain = CgroupId.of(machine.domain());
      Path container = machine.container("best-effort");
      long victim = CgroupId.of(container);
      killer.change(
          domain,
          new DomainSettings(
              Duration.ofMillis(500), Policy.MEMORY_PER_TIME, Duration.ofSeconds(1)));
      killer.update(
          domain, Map.of(victim, new ContainerRegistration(System.nanoTime() - 1, 9)), Set.of());
      machine.thrash(container, directory.resolve("data"));

      assertThat(killer.decisionsSince(1)).isEmpty();
      assertThat(killer.decisionsSince(0)).hasSize(1);
      String printed = machine.run("--json", "watch", "--since", "0", "--count", "1");
      KernelDecision decision = killer.decision(1).orElseThrow();
      assertThat(printed)
          .contains("\"monotonicNanos\":" + decision.decisionNanos() + ",")
          .contains("\"triggerId\":" + decision.trigger().container() + ",\"series\":\"file\"")
          .contains(
              "\"memoryBytes\":"
                  + decision.victim().memoryBytes()
                  + ",\"policy\":\"memory-per-time\"")
          .contains("\"signals\":" + decision.execution().signals() + ",")
          .contains("\"score\":9,\"rank\":" + decision.victim().ranking().get(0).rank() + "}");
      assertThat(decision.domain()).isEqualTo(domain);
      assertThat(decision.victim().container()).isEqualTo(victim);
      assertThat(decision.victim().ranking().get(0).container()).isEqualTo(victim);
      assertThat(decision.trigger().series()).isEqualTo(KernelDecision.Series.FILE);
      assertThat(decision.trigger().nanos()).isGreaterThanOrEqualTo(500_000_000);
      assertThat(decision.trigger().toleranceNanos()).isEqualTo(500_000_000);
      assertThat(decision.execution().lastSignalNanos().orElseThrow())
          .isGreaterThanOrEqualTo(decision.decisionNanos());
      assertThat(decision.execution().release().orElseThrow().goneNanos())
          .as("the watching tool waits for the release")
          .isGreaterThan(decision.decisionNanos());
      assertThat(killer.samples(victim))
          .hasSizeGreaterThan(4)
          .isSortedAccordingTo(Comparator.comparingLong(ContainerSample::fileRefaults))
          .anyMatch(ContainerSample::counted);
    }
  }

  @Test
  @Tag("must-never")
  void ofTheProcessesOfOneUserOnlyTheMainOneOfTheServiceIsHeard(@TempDir Path directory)
      throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path main = Files.writeString(directory.resolve("main"), "0\n");
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path systemctl =
        Files.writeString(bin.resolve("systemctl"), "#!/bin/sh\nexec cat " + main + "\n");
    Files.setPosixFilePermissions(systemctl, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (KernelMachine machine = KernelMachine.loadWithoutHelper(directory.resolve("bpffs"))) {
      machine.startHelper(
          Map.of("PATH", bin + ":" + System.getenv("PATH")),
          "--user",
          "65534",
          "--service",
          "nm.service");
      Path container = machine.container("best-effort");
      List<String> classes = ClassPathCopy.into(directory);
      Process nodeManager = asNobody(KernelMachine.GROUP, classes, machine, container);
      Process job = asNobody(KernelMachine.GROUP, classes, machine, container);
      Process outsider = asNobody(65_534, classes, machine, container);
      Files.writeString(main, nodeManager.pid() + "\n");
      assertThat(answer(nodeManager)).isEqualTo("registered in tier KERNEL_KILL{}");
      assertThat(answer(job)).startsWith("refused true: ").contains("not the main process");
      assertThat(answer(outsider)).startsWith("refused true: ").contains("permission denied");
      assertThat(machine.run("--json", "status")).contains("\"killable\":true,\"score\":500");
    }
  }

  private static KernelKiller open(KernelMachine machine) throws KernelKillerException {
    return KernelKiller.open(machine.socket(), TIMEOUT);
  }

  private static Process asNobody(
      int group, List<String> classes, KernelMachine machine, Path container) throws IOException {
    return new ProcessBuilder(
            "setpriv",
            "--reuid=65534",
            "--regid=" + group,
            "--clear-groups",
            "--inh-caps=-all",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-cp",
            String.join(":", classes),
            UnprivilegedClient.class.getName(),
            machine.socket().toString(),
            machine.domain().toString(),
            container.toString())
        .redirectErrorStream(true)
        .start();
  }

  /** Lets the client continue and returns what it prints. */
  private static String answer(Process client) throws IOException, InterruptedException {
    client.getOutputStream().write('\n');
    client.getOutputStream().close();
    String answer =
        new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    client.waitFor();
    return answer;
  }
}
