/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.killer.KillVariants;
import io.charon.evaluation.postgres.PostgresPrograms;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks as a user runs them, each as a separate command on the real kernel, but for
 * seconds only. Measurements that do not fit into that time are left out. No numbers are judged,
 * except that production survives.
 */
@Tag("pressure")
@LoadableKernelKiller
class BenchIT {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /**
   * Time after which a benchmark starts nothing new; on an idle machine it then ends within 10 s.
   */
  private static final Duration BUDGET = Duration.ofSeconds(3);

  /** Upper limit for the work in progress, which takes longer on a busy machine. */
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** Variant whose JVMs start slowly while other programs keep all processors busy. */
  private static final String STARTS_JVMS = "jvm-poll+fork-exec";

  /**
   * Seed of a round with two production containers, a service and one container above its share.
   */
  private static final String SEED = "24";

  /** Result shared by the two tests that check rounds; a test that is repeated plays new rounds. */
  private static Optional<JsonNode> rounds = Optional.empty();

  @TempDir private Path directory;

  private JsonNode bench(String name, String... options) throws Exception {
    Path json = directory.resolve("out.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.awt.headless=true",
                "-Dcharon.root=" + ROOT,
                "-D%s=%s"
                    .formatted(
                        Installation.HOME_PROPERTY, System.getProperty(Installation.HOME_PROPERTY)),
                "-cp",
                System.getProperty("java.class.path"),
                "io.charon.cli.Charon",
                "bench",
                name,
                "--quick",
                "--at-most",
                Long.toString(BUDGET.toSeconds()),
                "--json",
                json.toString()));
    command.addAll(List.of(options));
    TimedProgram.Result result = TimedProgram.run(new ProcessBuilder(command), LIMIT);
    assertThat(result.exitCode()).as(result.said()).isZero();
    return new ObjectMapper().readTree(json.toFile());
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain("/run/charon-bench-");
    for (Path cgroups :
        List.of(
            Path.of("/sys/fs/cgroup"),
            Path.of("/sys/fs/cgroup/cpu"),
            Path.of("/sys/fs/cgroup/memory"))) {
      if (Files.isDirectory(cgroups)) {
        try (Stream<Path> children = Files.list(cgroups)) {
          assertThat(children).noneMatch(child -> child.toString().contains("charon-bench-"));
        }
      }
    }
  }

  @Test
  @Tag("long")
  void ordersToStopAreTimed() throws Exception {
    JsonNode scopes = bench("stop").path("scopes");
    assertThat(scopes).isNotEmpty();
    assertThat(scopes.path(0).path("confirmedSeconds").path(0).asDouble()).isPositive();
  }

  @Test
  void killsAreTimed() throws Exception {
    List<String> withoutJvm = new ArrayList<>(KillVariants.NAMES);
    withoutJvm.remove(STARTS_JVMS);
    JsonNode result = killer("--variants", String.join(",", withoutJvm));
    assertThat(result.path("variants")).hasSize(withoutJvm.size());
    assertThatKillsAreTimed(result);
  }

  @Test
  @Tag("long")
  void theJvmThatPollsIsTimedToo() throws Exception {
    JsonNode result = killer();
    assertThat(result.path("variants")).hasSize(KillVariants.NAMES.size());
    assertThatKillsAreTimed(result);
  }

  private JsonNode killer(String... options) throws Exception {
    Path picture = directory.resolve("killer.svg");
    List<String> all = new ArrayList<>(List.of("--oom-wait-seconds", "2"));
    all.addAll(List.of("--svg", picture.toString()));
    all.addAll(List.of(options));
    JsonNode result = bench("killer", all.toArray(String[]::new));
    assertThat(picture).isNotEmptyFile();
    return result;
  }

  private static void assertThatKillsAreTimed(JsonNode result) {
    int attemptsInKernel = 0;
    for (JsonNode variant : result.path("variants")) {
      String name = variant.path("name").asText();
      int attempts =
          variant.path("kills").asInt()
              + variant.path("notKilled").asInt()
              + variant.path("endedByLinux").asInt();
      assertThat(attempts).as(name).isBetween(isCutShort(result) ? 0 : 2, 2);
      if (name.startsWith("in-kernel") && attempts > 0) {
        attemptsInKernel += attempts;
        assertThat(variant.path("kills").asInt()).as(result.toPrettyString()).isPositive();
        JsonNode lastSignal = variant.path("decisionToLastSignalMillis");
        assertThat(lastSignal.path("max").asDouble()).as(name).isPositive();
        assertThat(lastSignal.path("p99").isNull()).as(name).isTrue();
        assertThat(variant.path("decisionToGoneMillis").path("p50").asDouble())
            .as(name)
            .isGreaterThan(lastSignal.path("p50").asDouble());
      }
    }
    assertThat(attemptsInKernel).as("attempts in the kernel").isPositive();
  }

  @Test
  void faultsHaveACost() throws Exception {
    JsonNode variants = bench("overhead", "--repetitions", "2").path("variants");
    assertThat(variants)
        .extracting(one -> one.path("name").asText())
        .contains("none", "lite", "exact");
    for (JsonNode variant : variants) {
      assertThat(variant.path("minorFaultNanos").asDouble()).isBetween(50.0, 100_000.0);
      assertThat(variant.path("majorFaultNanos").asDouble())
          .isGreaterThan(variant.path("minorFaultNanos").asDouble());
      assertThat(variant.path("ratioLow95").asDouble())
          .isLessThanOrEqualTo(variant.path("ratioHigh95").asDouble());
    }
  }

  @Test
  @Tag("long")
  void coldMemoryOfProductionIsTaken() throws Exception {
    JsonNode run = bench("reclaim").path("runs").path(0);
    assertThat(run.path("approach").asText()).isEqualTo("limit and reclaim");
    assertThat(run.path("alive").asBoolean()).isTrue();
    assertThat(run.path("startMegabytes").asDouble()).isGreaterThan(190);
  }

  @Test
  void burstsAreMeasuredUnderTheQuotasOfASharedPool() throws Exception {
    JsonNode result = bench("burst", "--seed", "4"); // this seed begins with the pool
    JsonNode pool = result.path("rows").path(0);
    assertThat(pool.path("variant").asText()).isEqualTo("shared pool (AIMD)");
    assertThat(pool.path("bursts").asInt()).isPositive();
    assertThat(pool.path("meanUse").path(0).asDouble()).isBetween(0.01, 2.0);
    for (JsonNode row : result.path("rows")) {
      assertThat(row.path("throttledApplications").path(0).asDouble(-1)).isBetween(0.0, 1.0);
      assertThat(row.path("throttledPeriods").path(0).asDouble(-1)).isBetween(0.0, 1.0);
    }
  }

  /** The first call runs out of time and may measure only one pair; the second call resumes. */
  @Test
  void productionIsMeasuredBesideBestEffortThatTakesItsMemory() throws Exception {
    Path kept = directory.resolve("episodes.jsonl");
    String[] options = {
      "--pairs", "mapped:grower,mapped:dirty",
      "--modes", "limit+killer",
      "--episode-seconds", "2",
      "--resume", kept.toString()
    };
    bench("interference", options);
    assertThat(Files.readAllLines(kept)).isNotEmpty();
    JsonNode result = bench("interference", options);
    assertThat(Files.readAllLines(kept)).hasSizeBetween(2, 3);
    for (JsonNode one : result.path("scenarios")) {
      String mode = one.path("mode").asText();
      assertThat(one.path("production").asText()).isEqualTo("mapped");
      assertThat(one.path("productionKilled").asInt(-1)).as(mode).isZero();
      assertThat(one.path("productionMegabytes").asDouble()).as(mode).isGreaterThan(150);
      assertThat(one.path("medianVsAlone").asDouble()).as(mode).isPositive();
      if (mode.equals("limit+killer")) {
        assertThat(one.path("wallMegabytes").asDouble()).as(mode).isBetween(32.0, 200.0);
      }
    }
    assertThat(result.path("scenarios"))
        .extracting(one -> one.path("mode").asText())
        .contains("alone", "limit+killer");
  }

  /** Two calls, since the time of the first one suffices for production alone only. */
  @Test
  @Tag("long")
  void aDatabaseIsMeasuredBesideBestEffortThatTakesItsMemory() throws Exception {
    try {
      PostgresPrograms.find();
    } catch (IOException missing) {
      System.out.println("SKIPPED bench interference with postgresql: " + missing.getMessage());
      abort(missing.getMessage());
    }
    String[] options = {
      "--pairs", "postgresql:grower",
      "--modes", "limit+killer",
      "--episode-seconds", "2",
      "--resume", directory.resolve("episodes.jsonl").toString()
    };
    bench("interference", options);
    JsonNode result = bench("interference", options);
    assertThat(result.path("scenarios"))
        .extracting(one -> one.path("mode").asText())
        .containsExactly("alone", "limit+killer");
    for (JsonNode one : result.path("scenarios")) {
      String mode = one.path("mode").asText();
      assertThat(one.path("production").asText()).isEqualTo("postgresql");
      assertThat(one.path("productionKilled").asInt(-1)).as(mode).isZero();
      assertThat(one.path("productionMegabytes").asDouble()).as(mode).isBetween(130.0, 210.0);
      assertThat(one.path("p50Millis").asDouble()).as(mode).isPositive();
      assertThat(one.path("p99Millis").asDouble())
          .as(mode)
          .isGreaterThanOrEqualTo(one.path("p50Millis").asDouble());
    }
    try (Stream<Path> files = Files.list(Path.of("/var/tmp"))) {
      assertThat(files).noneMatch(file -> file.toString().contains("charon-bench-postgres-"));
    }
  }

  @Test
  void bestEffortIsMeasuredBesideAForeground() throws Exception {
    boolean installed = Files.isExecutable(Path.of("/usr/sbin/nginx"));
    if (!installed) {
      System.out.println(
          "SKIPPED bench colocation: no nginx; see install-packages.sh --colocation");
    }
    assumeTrue(installed, "no nginx");
    JsonNode result =
        bench(
            "colocation",
            "--scenario",
            "cpu",
            "--modes",
            "default",
            "--seconds",
            "3",
            "--window",
            "5");
    assertThat(result.path("scenarios"))
        .extracting(one -> one.path("mode").asText())
        .containsExactly("alone", "default", "alone-again", "best-effort-alone");
    for (JsonNode one : result.path("scenarios")) {
      String mode = one.path("mode").asText();
      assertThat(one.path("name").asText()).isEqualTo("cpu");
      assertThat(one.path("repetitions").asInt()).as(mode).isEqualTo(1);
      assertThat(one.path("utilization").asDouble()).as(mode).isBetween(0.01, 1.0);
      assertThat(one.path("aaSpread").asDouble()).as(mode).isNotNegative();
      assertThat(one.path("maxViolations").asInt(-1)).as(mode).isNotNegative();
      assertThat(one.path("failed").asInt(-1)).as(mode).isZero();
      if (!mode.equals("best-effort-alone")) {
        assertThat(one.path("foregroundP95VsAlone").asDouble()).as(mode).isPositive();
        assertThat(one.path("foregroundP99VsAlone").asDouble()).as(mode).isPositive();
        assertThat(one.path("foregroundThroughputVsAlone").asDouble()).as(mode).isPositive();
        assertThat(one.path("samples").asInt()).as(mode).isGreaterThan(50);
      }
    }
    JsonNode shipped = result.path("scenarios").path(1);
    assertThat(shipped.path("agentCpuPercent").asDouble()).isPositive();
    assertThat(shipped.path("backgroundWorkVsAlone").asDouble()).isPositive();
    assertThat(new File("/run/netns").list())
        .noneMatch(namespace -> namespace.startsWith("charon-bench-"));
  }

  @Test
  @Tag("must-never")
  void noProductionContainerIsKilled() throws Exception {
    assertThat(rounds().path("productionKills").asInt(-1)).isZero();
  }

  @Test
  void thrashHasItsEpisodes() throws Exception {
    JsonNode result = rounds();
    assertThat(result.path("rounds").asInt()).isBetween(isCutShort(result) ? 1 : 3, 3);
    assertThat(result.path("episodes").asInt()).isPositive();
  }

  private JsonNode rounds() throws Exception {
    JsonNode result =
        rounds.isPresent()
            ? rounds.get()
            : bench("false-kills", "--seed", SEED, "--cgth-ms", "1000");
    rounds = rounds.isPresent() ? Optional.empty() : Optional.of(result);
    return result;
  }

  /** Returns whether the time ended before everything was measured. */
  private static boolean isCutShort(JsonNode result) {
    return result.path("cutShort").asBoolean();
  }

  @Test
  void memoryThatDoesNotFitSlowsWork() throws Exception {
    Path model = directory.resolve("thrash-model.properties");
    JsonNode result = bench("thrash-model", "--out", model.toString());
    JsonNode programs = result.path("programs");
    assertThat(programs).hasSizeBetween(isCutShort(result) ? 1 : 4, 4);
    for (JsonNode program : programs) {
      String name = program.path("name").asText();
      assertThat(program.path("nanosPerTouch").asDouble()).as(name).isPositive();
      assertThat(program.path("points")).as(name).hasSize(2);
      JsonNode twice = program.path("points").path(1);
      assertThat(twice.path("ratio").asDouble()).isEqualTo(2);
      assertThat(twice.path("endedByLinux").asInt(-1)).as(name).isZero();
      // Every second touch is a fault, which is visible even where a task computes in between.
      assertThat(twice.path("slowdown").asDouble()).as(name).isGreaterThan(1.05);
      assertThat(twice.path("nanosPerRefault").asDouble()).as(name).isPositive();
    }
    assertThat(Files.exists(model)).isEqualTo(!isCutShort(result));
    if (!isCutShort(result)) {
      assertThat(programs.path(0).path("sharedLimitPoints")).hasSize(1);
      Properties written = new Properties();
      try (Reader in = Files.newBufferedReader(model)) {
        written.load(in);
      }
      assertThat(written).containsEntry("anonymous.ratio", "1.00 1.25 2.00").hasSize(6);
    }
  }
}
