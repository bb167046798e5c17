/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.network;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.network.NetworkDevice;
import io.charon.nodemanager.sensor.NetworkSensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the shaper, the sensor and the real helper on a virtual link between two network
 * namespaces.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrafficShaperKernelTest {
  private static final String NODE = "charon-shaper-" + ProcessHandle.current().pid();
  private static final String NEAR = NODE + "-a";
  private static final String FAR = NODE + "-b";
  private static final Path TOOLS = Path.of("../kernel-ua-killer/target/native").toAbsolutePath();
  private static final double RATE = 1_250_000;

  private final List<Process> started = new ArrayList<>();
  private Path cgroup;
  private NetworkDevice device;
  private TrafficShaper shaper;
  private NetworkSensor sensor;

  @BeforeEach
  void setUp() throws Exception {
    Requirement.require(
        TrafficShaperKernelTest.class,
        "root".equals(System.getProperty("user.name")),
        "needs root");
    Requirement.require(
        TrafficShaperKernelTest.class,
        Files.isExecutable(TOOLS.resolve("ua-killer"))
            && Files.isExecutable(TOOLS.resolve("workload")),
        "no " + TOOLS + "/ua-killer: run make -C kernel-ua-killer/src/main/native");
    Optional<String> hierarchy =
        Files.readAllLines(Path.of("/proc/self/mounts")).stream()
            .map(line -> line.split(" ", -1))
            .filter(fields -> fields[2].equals("cgroup2"))
            .map(fields -> fields[1])
            .findFirst();
    Requirement.require(
        TrafficShaperKernelTest.class, hierarchy.isPresent(), "no cgroup2 is mounted");
    Path unified = Path.of(hierarchy.orElseThrow());
    Requirement.require(
        TrafficShaperKernelTest.class, Files.isWritable(unified), unified + " is read-only");
    Requirement.require(
        TrafficShaperKernelTest.class,
        works("ip", "netns", "add", NEAR),
        "network namespaces are refused");
    Requirement.require(
        TrafficShaperKernelTest.class,
        works("ip", "netns", "add", FAR),
        "network namespaces are refused");
    Requirement.require(
        TrafficShaperKernelTest.class,
        works(words("ip link add eth7 netns " + NEAR + " type veth peer name eth7 netns " + FAR)),
        "no veth in this kernel");
    for (String side : List.of(NEAR, FAR)) {
      String number = side.equals(NEAR) ? "1" : "2";
      run(words("ip -n " + side + " address add 10.78.0." + number + "/24 dev eth7"));
      run(words("ip -n " + side + " link set eth7 up"));
    }
    cgroup = unified.resolve(NODE);
    Files.createDirectories(cgroup.resolve("best-effort/container"));
    Files.createDirectories(cgroup.resolve("production"));
    // ip-netns mounts the sysfs of the namespace only for the process that it starts.
    Process window = start(words("ip netns exec " + NEAR + " sleep 300"));
    Path sys = Path.of("/proc", Long.toString(window.pid()), "root/sys");
    for (int i = 0; i < 200 && !Files.exists(sys.resolve("class/net/eth7")); i++) {
      Thread.sleep(20);
    }
    device = new NetworkDevice(sys, "eth7");
    sensor = new NetworkSensor(device, OptionalDouble.of(125e6));
    shaper =
        new TrafficShaper(
            new Helper(
                List.of(
                    "/usr/bin/nsenter",
                    "--net=/run/netns/" + NEAR,
                    TOOLS.resolve("ua-killer").toString()),
                Duration.ofSeconds(20)),
            device,
            Optional.of(cgroup.resolve("best-effort")),
            false);
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (sensor != null) {
      sensor.close();
    }
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    for (String namespace : List.of(NEAR, FAR)) {
      if (Files.exists(Path.of("/run/netns", namespace))) {
        run("ip", "netns", "delete", namespace);
      }
    }
    if (cgroup != null) {
      for (String name : List.of("best-effort/container", "best-effort", "production", "")) {
        Files.deleteIfExists(cgroup.resolve(name));
      }
    }
  }

  private static String[] words(String line) {
    return line.split(" ", -1);
  }

  private Process start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  private static boolean works(String... command) throws Exception {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static void run(String... command) throws Exception {
    assertThat(works(command)).as(String.join(" ", command)).isTrue();
  }

  private void send(String side, int port) throws Exception {
    String workload = TOOLS.resolve("workload").toString();
    String near = "exec nsenter --net=/run/netns/" + NEAR + " " + workload;
    start(words("nsenter --net=/run/netns/" + FAR + " " + workload + " receive 10.78.0.2 " + port));
    // The receiver may not be listening yet; each failed attempt ends at once.
    start(
        "/bin/sh",
        "-c",
        "echo $$ >"
            + cgroup.resolve(side).resolve("cgroup.procs")
            + " || exit 7\n"
            + "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; "
            + "grep -qi ':"
            + Integer.toHexString(port)
            + " 0*:0000 0A' /proc/"
            + started.get(started.size() - 1).pid()
            + "/net/tcp && break; done\n"
            + near
            + " send 10.78.0.2 "
            + port);
  }

  private ResourceUse over(Duration time) throws InterruptedException {
    ResourceUse first = sensor.read(System.nanoTime());
    assertThat(first).isNotNull();
    Thread.sleep(time.toMillis());
    return sensor.read(System.nanoTime());
  }

  private static boolean sends(Measurement measurement) {
    return measurement.value().orElse(0) > 0;
  }

  private static double value(Measurement measurement) {
    assertThat(measurement.missing()).isEmpty();
    return measurement.value().orElseThrow();
  }

  private Stream<String> devices() throws IOException {
    try (Stream<Path> all = Files.list(device.sysRoot().resolve("class/net"))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList().stream();
    }
  }

  @Test
  void bestEffortIsHeldAndTheForegroundIsNot() throws Exception {
    List<String> before = devices().toList();
    assertThat(shaper.unavailable()).isEmpty();
    assertThat(devices()).containsExactlyElementsOf(before);
    assertThat(shaper.limit(RATE)).contains("1250000 bytes/s");
    assertThat(shaper.unavailable()).isEmpty(); // must work while a limit holds
    send("best-effort/container", 5001);
    send("production", 5002);
    await(
        Duration.ofMillis(100),
        () -> {
          ResourceUse sent = sensor.read(System.nanoTime());
          return sends(sent.bestEffort()) && sends(sent.foreground());
        });

    ResourceUse use = over(Duration.ofSeconds(1));
    assertThat(value(use.bestEffort())).isBetween(0.4 * RATE, 1.2 * RATE);
    assertThat(value(use.foreground())).isGreaterThan(5 * value(use.bestEffort()));

    shaper.limit(8 * RATE);
    assertThat(value(over(Duration.ofSeconds(1)).bestEffort())).isBetween(2 * RATE, 10 * RATE);

    shaper.undo();
    assertThat(devices()).containsExactlyElementsOf(before);
    shaper.undo();
  }

  @Test
  void aDeviceThatVanishesIsReportedAndItsShaperSwept() throws Exception {
    shaper.limit(RATE);
    assertThat(device.isAnyShaped()).isTrue();
    run(words("ip -n " + NEAR + " link delete eth7"));

    assertThat(sensor.read(System.nanoTime()).foreground().missing().orElseThrow())
        .isEqualTo("there is no network device eth7");
    assertThatThrownBy(() -> shaper.limit(RATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("eth7");
    assertThat(device.isAnyShaped()).isTrue();
    shaper.undo();
    assertThat(device.isAnyShaped()).isFalse();
    assertThat(shaper.unavailable().orElseThrow()).contains("no such network device");
  }
}
