/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service beside the containers of a real NodeManager, entitled to memory. While the NodeManager
 * is down nobody moves best-effort's memory limit, and best-effort holds what the service needs for
 * its page cache; the kernel UA killer gives it to the service.
 */
@Tag("pressure")
@WritableCgroups
@LoadableKernelKiller
class OwedServiceIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final long MEBIBYTE = 1 << 20;
  private static final int NODE = 512;

  /** Limit of the domain, which holds the node and the service: the smallest one counts. */
  private static final int DOMAIN = 500;

  private static final int ENTITLEMENT = 160;
  private static final int FILE = 150;
  private static final int SMALL = 40;

  /** Less than best-effort's limit, and more than the service's file leaves. */
  private static final int LARGE = 300;

  private static final double GIVEN_BACK = 0.9;

  @TempDir private static Path state;
  @TempDir private Path files;
  private static NativeTools tools;
  private static KernelKillerOfNode kernel;
  private static TestNode node;
  private static Path service;

  @BeforeAll
  static void start() throws Exception {
    tools = NativeTools.of(Path.of("").toAbsolutePath().getParent());
    kernel = KernelKillerOfNode.loadWithoutSwap();
    Map<String, String> properties = new HashMap<>(kernel.properties());
    properties.put(CHARON + "memory-limit.mode", "enforce");
    properties.put(CHARON + "killer.owed-time-ms", "1000");
    // The service's own thrash must not be the reason.
    properties.put(CHARON + "killer.cgth-time-ms", "60000");
    node = TestNode.startWithProduction(NODE, properties, state);
    Path domain = node.memoryCgroup().getParent();
    Path v1 = domain.resolve("memory.limit_in_bytes");
    Files.writeString(
        Files.exists(v1) ? v1 : domain.resolve("memory.max"), Long.toString(DOMAIN * MEBIBYTE));
    service = Files.createDirectory(domain.resolve("service"));
    kernel.protectWithServices(node);
    await("the kernel is in charge", () -> inCharge().equals("kernel"));
  }

  @AfterAll
  static void stop() {
    try {
      if (node != null) {
        node.close();
      }
    } finally {
      if (kernel != null) {
        kernel.close();
      }
    }
  }

  @Test
  @Tag("long")
  void aServiceGetsTheMemoryThatItIsOwedWhileNoNodeManagerRuns() throws Exception {
    node.begin();
    String path = node.cluster().nodes().get(0).cgroup().orElseThrow().path();
    String pattern = Path.of(path).resolveSibling("service").toString();
    node.change(Map.of("memory-limit.services", pattern + "=" + ENTITLEMENT * MEBIBYTE));
    await(
        "the service is watched", () -> kernel.entitledBytes("service") == ENTITLEMENT * MEBIBYTE);
    String hot = create("hot", FILE);
    Process reader = null;
    try (OwnMaster production =
            new OwnMaster(node.cluster().clientConfiguration(), TestNode.PRODUCTION_QUEUE);
        OwnMaster bestEffort = new OwnMaster(node.cluster().clientConfiguration())) {
      Container kept = production.run(tools.workload() + " idle " + SMALL + " >/dev/null", 64);
      Container small = bestEffort.run(tools.workload() + " idle " + SMALL + " >/dev/null", 64);
      Container large =
          bestEffort.run(tools.workload() + " idle " + LARGE + " >/dev/null", LARGE + 20);
      await("best-effort fills what is left", () -> held(bestEffort()) >= LARGE + SMALL);

      node.cluster().killNodeManager(0);
      reader =
          new ProcessBuilder(
                  "/bin/sh",
                  "-c",
                  "echo $$ > \"$1/cgroup.procs\" || exit 7; exec \"$2\" file \"$3\" $4 2 >/dev/null",
                  "sh",
                  service.toString(),
                  tools.workload().toString(),
                  hot,
                  Integer.toString(FILE))
              .start();
      Path victim = bestEffort().resolve(large.getId().toString());
      await("a container is killed", () -> isEmpty(victim));
      await("the service has its memory", () -> held(service) >= FILE * GIVEN_BACK);
      node.cluster().startNodeManager(0);

      await("the kill is known", () -> !node.kills().isEmpty());
      assertThat(node.kills()).hasSize(1);
      JsonNode kill = node.kills().get(0);
      assertThat(kill.path("by").asText()).isEqualTo("kernel");
      assertThat(kill.path("containerId").asText()).isEqualTo(large.getId().toString());
      assertThat(kill.path("thrash").path("series").asText()).isEqualTo("owed");
      assertThat(kill.path("thrash").path("trigger").asText()).endsWith("/service");
      assertThat(production.ended(kept)).as("wrong death: production").isEmpty();
      assertThat(bestEffort.ended(small)).as("wrong death: the small one").isEmpty();
      assertThat(reader.isAlive()).as("wrong death: the service").isTrue();

      node.change(Map.of("memory-limit.services", "none"));
      await("it is no longer watched", () -> kernel.entitledBytes("service") < 0);
    } finally {
      if (reader != null) {
        TimedProgram.end(reader);
      }
    }
    node.revertChanges();
    node.awaitNothingLeft();
  }

  private String create(String name, int mebibytes) throws Exception {
    String file = files.resolve(name).toString();
    TimedProgram.Result made =
        TimedProgram.run(
            new ProcessBuilder(
                tools.workload().toString(), "create", file, Integer.toString(mebibytes)),
            Duration.ofMinutes(1));
    assertThat(made.exitCode()).as(made.said()).isZero();
    return file;
  }

  private static Path bestEffort() {
    return node.memoryCgroup().resolve("best-effort");
  }

  private static boolean isEmpty(Path cgroup) {
    try {
      return Files.readString(cgroup.resolve("cgroup.procs")).isBlank();
    } catch (IOException gone) {
      return !Files.exists(cgroup);
    }
  }

  /** Returns the memory of a cgroup, MiB. */
  private static long held(Path cgroup) throws IOException {
    Path v1 = cgroup.resolve("memory.usage_in_bytes");
    Path usage = Files.exists(v1) ? v1 : cgroup.resolve("memory.current");
    return Long.parseLong(Files.readString(usage).strip()) / MEBIBYTE;
  }

  private static String inCharge() throws InterruptedException {
    return node.status().path("killer").path("inCharge").asText();
  }
}
