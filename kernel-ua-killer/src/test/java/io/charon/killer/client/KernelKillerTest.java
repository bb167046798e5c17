/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.kill.VictimChoice.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against the killer that is really loaded into this kernel. */
class KernelKillerTest {
  @Test
  void saysThatNothingIsLoaded(@TempDir Path bpffs) {
    assertThatThrownBy(() -> KernelKiller.open(bpffs))
        .isInstanceOf(KernelKillerException.class)
        .hasMessageContaining(bpffs + "/charon/control")
        .hasMessageContaining("not loaded");
  }

  @Test
  void readsWhatTheToolLoaded(@TempDir Path bpffs) throws Exception {
    try (KernelMachine machine = KernelMachine.load(bpffs, "--tier", "3");
        KernelKiller killer = KernelKiller.open(bpffs)) {
      assertThat(killer.tier()).isEqualTo(KernelTier.USER);
      assertThat(killer.reason()).isEqualTo("asked for with --tier 3");
      assertThat(killer.helperRuns()).isFalse();
      assertThat(killer.effective()).as("tier 3 without helper").isFalse();
      long domain = CgroupId.of(machine.domain());
      assertThat(killer.domains()).containsExactly(domain);
      assertThat(killer.killableRoots(domain)).containsExactly(domain);
      assertThat(killer.killableRoots(domain + 1)).isEmpty();
      assertThat(killer.decisionsSince(0)).isEmpty();
      assertThat(killer.decision(1)).isEmpty();
    }
  }

  @Test
  void itsRegistrationsAreWhatTheToolShows(@TempDir Path bpffs) throws Exception {
    try (KernelMachine machine = KernelMachine.load(bpffs);
        KernelKiller killer = KernelKiller.open(bpffs)) {
      long domain = CgroupId.of(machine.domain());
      long killable = CgroupId.of(machine.container("best-effort"));
      long watched = CgroupId.of(machine.container("production"));
      killer.register(killable, new ContainerRegistration(domain, System.nanoTime(), 7));
      killer.register(watched, new ContainerRegistration(domain, 0, 0));

      String status = machine.run("--json", "status");
      assertThat(status)
          .contains("best-effort\",\"killable\":true,\"score\":7")
          .contains("production\",\"killable\":false,\"score\":0");
      assertThat(killer.registration(killable).orElseThrow().score()).isEqualTo(7);

      killer.unregister(killable);
      killer.unregister(killable);
      assertThat(machine.run("--json", "status")).doesNotContain("best-effort");
      assertThat(killer.registration(killable)).isEmpty();
      assertThat(killer.samples(watched)).as("nothing was reclaimed").isEmpty();
    }
  }

  @Test
  void changesSettingsWithinTheLimitsOfRoot(@TempDir Path bpffs) throws Exception {
    try (KernelMachine machine = KernelMachine.load(bpffs);
        KernelKiller killer = KernelKiller.open(bpffs)) {
      long domain = CgroupId.of(machine.domain());
      assertThat(killer.settings(domain))
          .contains(new DomainSettings(Duration.ofSeconds(3), Policy.MEMORY_PER_TIME));
      machine.run("set", "min-pages", "77");
      DomainSettings values = new DomainSettings(Duration.ofMillis(1500), Policy.SCORE);
      killer.change(domain, values);
      assertThat(killer.settings(domain)).contains(values);
      assertThat(machine.run("--json", "status"))
          .contains("\"cgthTimeSeconds\":1.500,\"policy\":\"score\"")
          .contains("\"minPages\":77");
      assertThatThrownBy(
              () -> killer.change(domain, new DomainSettings(Duration.ofHours(1), Policy.SCORE)))
          .hasMessageContaining("100 to 600000 ms");
      assertThatThrownBy(() -> killer.change(1, values)).hasMessageContaining("no domain");
    }
  }

  @Test
  void noticesThatAnotherKillerWasLoaded(@TempDir Path bpffs) throws Exception {
    try (KernelMachine machine = KernelMachine.load(bpffs);
        KernelKiller killer = KernelKiller.open(bpffs)) {
      assertThat(killer.isCurrent()).isTrue();
      machine.run("unload");
      assertThat(killer.isCurrent()).isFalse();
      machine.run("load");
      assertThat(killer.isCurrent()).isFalse();
    }
  }

  @Test
  void readsADecisionAsTheToolPrintsIt(@TempDir Path directory) throws Exception {
    try (KernelMachine machine = KernelMachine.load(directory.resolve("bpffs"));
        KernelKiller killer = KernelKiller.open(machine.bpffs())) {
      long domain = CgroupId.of(machine.domain());
      Path container = machine.container("best-effort");
      long victim = CgroupId.of(container);
      killer.change(domain, new DomainSettings(Duration.ofMillis(500), Policy.MEMORY_PER_TIME));
      killer.register(victim, new ContainerRegistration(domain, System.nanoTime() - 1, 9));
      machine.thrash(container, directory.resolve("data"));

      assertThat(killer.decisionsSince(1)).isEmpty();
      assertThat(killer.decisionsSince(0)).hasSize(1);
      KernelDecision decision = killer.decision(1).orElseThrow();
      String printed = machine.run("--json", "watch", "--since", "0", "--count", "1");
      assertThat(printed)
          .contains("\"monotonicNanos\":" + decision.decisionNanos() + ",")
          .contains("\"triggerId\":" + decision.trigger() + ",\"series\":\"file\"")
          .contains("\"memoryBytes\":" + decision.victimBytes() + ",\"policy\":\"memory-per-time\"")
          .contains("\"signals\":" + decision.signals() + ",")
          .contains("\"score\":9,\"rank\":" + decision.ranking().get(0).rank() + "}");
      assertThat(decision.victim()).isEqualTo(victim);
      assertThat(decision.series()).isEqualTo(KernelDecision.Series.FILE);
      assertThat(decision.thrashNanos()).isGreaterThanOrEqualTo(500_000_000);
      assertThat(decision.thrashingToleranceNanos()).isEqualTo(500_000_000);
      assertThat(decision.lastSignalNanos().orElseThrow())
          .isGreaterThanOrEqualTo(decision.decisionNanos());
      assertThat(decision.release()).as("no helper runs").isEmpty();
      assertThat(killer.samples(victim))
          .hasSizeGreaterThan(4)
          .isSortedAccordingTo(Comparator.comparingLong(ContainerSample::fileRefaults))
          .anyMatch(ContainerSample::counted);
    }
  }

  @Test
  void needsNoPrivilegeButTheGroup(@TempDir Path directory) throws Exception {
    Path bpffs = directory.resolve("bpffs");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (KernelMachine machine = KernelMachine.load(bpffs)) {
      Path container = machine.container("best-effort");
      List<String> classes = ClassPathCopy.into(directory);
      String answer = asNobody(KernelMachine.GROUP, classes, bpffs, machine.domain(), container);
      assertThat(answer).isEqualTo("registered in tier KERNEL_KILL");
      assertThat(machine.run("--json", "status")).contains("\"killable\":true,\"score\":500");
      assertThat(asNobody(65_534, classes, bpffs, machine.domain(), container))
          .contains("may not be opened by this user");
    }
  }

  private static String asNobody(
      int group, List<String> classes, Path bpffs, Path domain, Path container)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
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
                bpffs.toString(),
                domain.toString(),
                container.toString())
            .redirectErrorStream(true)
            .start();
    String answer =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return answer;
  }
}
