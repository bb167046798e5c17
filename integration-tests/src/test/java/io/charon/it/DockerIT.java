/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The image and compose.yaml with a Docker engine of the test. No registry is used: the base image
 * is made of Debian's packages, and the profile with Prometheus and Grafana does not run.
 */
@Tag("long")
@WritableCgroups
class DockerIT {
  /** The user nobody, which exists on every machine and in every image. */
  private static final String USER = "65534";

  private static final long NODE_BYTES = 1536L << 20;
  private static final String BASE = "charon-base:test";
  private static final List<String> PORTS = List.of("18042", "28042", "38042");

  private final Installation jars = Installation.locate();
  private final Path root = jars.lib().resolve("../../../..").normalize();
  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, String> environment = new HashMap<>();
  private Path work;
  private DockerEngine engine;

  @BeforeEach
  void startEngine() throws Exception {
    List<String> missing = DockerEngine.missing();
    skipUnless(
        missing.isEmpty(), missing + " missing: run kernel-ua-killer/install-packages.sh --docker");
    skipUnless(
        Files.isExecutable(root.resolve("kernel-ua-killer/target/native/ua-killer")),
        "the helper is not built (make -C kernel-ua-killer/src/main/native)");
    skipUnless(
        DockerEngine.exitCode(asUser("test", "-r", jars.jobJar().toString())) == 0,
        "user " + USER + ", who submits the jobs, cannot read " + root);
    work = Files.createTempDirectory("charon-docker-");
    try {
      engine = DockerEngine.start(work);
    } catch (java.io.IOException e) {
      skipUnless(false, e.getMessage());
    }
    Path shared = Files.createDirectory(work.resolve("shared"));
    engine.run(Map.of(), "chown", USER, shared.toString());
    engine.run(Map.of(), "chmod", "0711", work.toString());
    environment.put("CHARON_SHARED", shared.toString());
    environment.put("CHARON_IMAGE", "charon:test");
    environment.put("NODE_MEMORY", NODE_BYTES + "b");
    environment.put("CHARON_HADOOP", line());
    environment.put("COMPOSE_PROJECT_NAME", "charonit");
  }

  @AfterEach
  void removeEverything() throws Exception {
    if (engine != null) {
      engine.remove();
    }
    if (work != null) {
      TemporaryDirectory.delete(work);
    }
  }

  @Test
  void composeStartsNodesThatEndAtTheirContainersLimitAndRunBestEffortJobs() throws Exception {
    buildImage();
    System.out.println("The profile monitoring is left out: its images come from a registry");
    engine.run(
        environment, "docker-compose", "-f", "docker/compose.yaml", "up", "-d", "--no-build");
    TestNode.await("three nodes are registered", () -> nodes().size() == PORTS.size());

    for (JsonNode node : nodes()) {
      long offered = node.path("usedMemoryMB").asLong() + node.path("availMemoryMB").asLong();
      assertThat(offered).as(node.toString()).isEqualTo((NODE_BYTES >> 20) * 9 / 10);
    }
    for (String port : PORTS) {
      JsonNode status = status(port);
      assertThat(status.path("node").path("capacityBytes").asLong()).isEqualTo(NODE_BYTES);
      assertThat(status.path("mode").asText()).isEqualTo("enforce");
    }
    assertThat(engine.run(environment, "docker", "exec", container("node1"), "id", "-u").strip())
        .isEqualTo(USER);

    assertThat(runDemo()).containsPattern("\\b0 failed, 0 ended by the demo");

    long launched = 0;
    for (String port : PORTS) {
      launched += status(port).path("counters").path("launched").asLong();
      assertThat(get("localhost:" + port + "/charon/metrics")).contains("\ncharon_");
    }
    assertThat(launched).as("best-effort containers that started").isPositive();
    engine.run(environment, "docker-compose", "-f", "docker/compose.yaml", "down", "--volumes");
  }

  private void buildImage() throws Exception {
    Path base = work.resolve("base.tar");
    try {
      engine.run(
          Map.of(),
          "mmdebstrap",
          "--quiet",
          "--variant=minbase",
          "--include=openjdk-17-jre-headless",
          "bookworm",
          base.toString());
    } catch (AssertionError e) {
      skipUnless(false, "no base image could be made of Debian's packages: " + e.getMessage());
    }
    engine.run(Map.of(), "docker", "import", base.toString(), BASE);
    Files.delete(base);
    // The files of the repository that .dockerignore permits, and one release.
    Path context = Files.createDirectories(work.resolve("context"));
    engine.run(environment, "bin/charon", "package", "--out", context.resolve("target").toString());
    engine.run(Map.of(), "cp", "-r", "docker", ".dockerignore", context.toString());
    Path lib = context.resolve("charon-dist/target/hadoop-" + jars.hadoopVersion());
    Files.createDirectories(lib);
    engine.run(Map.of(), "cp", "-r", jars.lib().toString(), lib.toString());
    engine.run(
        environment,
        "docker",
        "build",
        "--tag=charon:test",
        "--build-arg=BASE_IMAGE=" + BASE,
        "--build-arg=HADOOP_LINE=" + line(),
        "--build-arg=CHARON_UID=" + USER,
        "--file=" + context.resolve("docker/Dockerfile"),
        context.toString());
  }

  private String runDemo() throws Exception {
    return engine.inNamespace(
        environment,
        asUser(
            "bin/charon",
            "demo",
            "--cluster",
            "docker/client",
            "--nodes",
            "localhost:18042,localhost:28042,localhost:38042",
            "--window-seconds",
            "20",
            "--input-mb",
            "16"));
  }

  private static String[] asUser(String... command) {
    return Stream.concat(
            Stream.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"),
            Stream.of(command))
        .toArray(String[]::new);
  }

  private List<JsonNode> nodes() throws Exception {
    try {
      JsonNode answer = mapper.readTree(get("localhost:8088/ws/v1/cluster/nodes?states=RUNNING"));
      List<JsonNode> nodes = new ArrayList<>();
      answer.path("nodes").path("node").forEach(nodes::add);
      return nodes;
    } catch (AssertionError notYet) {
      return List.of();
    }
  }

  private JsonNode status(String port) throws Exception {
    String page = get("localhost:" + port + "/jmx?qry=io.charon:type=Status");
    return mapper.readTree(mapper.readTree(page).path("beans").path(0).path("Json").asText());
  }

  /** Uses bash, as this JVM is in another network namespace and the machine may have no curl. */
  private String get(String url) throws Exception {
    String[] parts = url.split("[:/]", 3);
    String request =
        "exec 3<>/dev/tcp/%s/%s && printf 'GET /%s HTTP/1.0\\r\\n\\r\\n' >&3 && sed '1,/^\\r$/d' <&3"
            .formatted(parts[0], parts[1], parts[2]);
    return engine.inNamespace(Map.of(), "bash", "-c", request);
  }

  private String container(String service) throws Exception {
    return engine
        .run(environment, "docker-compose", "-f", "docker/compose.yaml", "ps", "--quiet", service)
        .strip();
  }

  private String line() {
    return jars.hadoopVersion().replaceFirst("(\\d+\\.\\d+).*", "$1");
  }

  private static void skipUnless(boolean possible, String reason) {
    if (!possible) {
      System.out.println("SKIPPED DockerIT: " + reason);
    }
    assumeTrue(possible, reason);
  }
}
