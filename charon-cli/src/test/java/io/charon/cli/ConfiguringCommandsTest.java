/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.web.stop.StopFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs the commands against a web server that reads the file as a NodeManager does. */
@Tag("hadoop")
@Tag("long")
class ConfiguringCommandsTest {
  private static final String CPU_MODE = "yarn.nodemanager.charon.regulator.cpu.mode";

  private static final String STOP = "yarn.nodemanager.charon.stop.";
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-01-31T12:00:00Z"), ZoneOffset.UTC);

  private final ObjectMapper mapper = new ObjectMapper();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;
  private Path file;
  private Path conf;
  private FakeNodeManager node;

  @BeforeEach
  void startNodeManager() throws IOException, SettingsException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = directory.resolve("charon/overrides.properties");
    conf = Files.createDirectory(directory.resolve("conf"));
    names(file);
    Configuration configuration = new Configuration(false);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    configuration.set("yarn.nodemanager.charon.overrides-file", file.toString());
    SettingsSource source =
        SettingsSource.open(configuration, System.getProperty("user.name"), MechanismList.keys())
            .source();
    node = FakeNodeManager.start();
    StopFile stop = source.stopFile();
    node.status(() -> status(source, stop));
  }

  @AfterEach
  void stopNodeManager() {
    node.close();
  }

  @Test
  void aMechanismIsEnforcedObservedAndTurnedOff() throws IOException {
    assertThat(run("enable", "cpu")).isZero();
    assertThat(out.toString())
        .contains(node.address() + ": cpu is enforce", CPU_MODE + "=enforce", file.toString());
    assertThat(Files.readString(file)).contains(CPU_MODE + "=enforce");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--");

    assertThat(run("enable", "freeze", "--observe")).isZero();
    assertThat(run("disable", "cpu")).isZero();
    assertThat(run("disable", "memory-limit")).isZero();
    assertThat(Files.readAllLines(file))
        .contains(
            CPU_MODE + "=off",
            "yarn.nodemanager.charon.freeze.mode=observe",
            "yarn.nodemanager.charon.memory-limit.mode=off");

    assertThat(run("reload", "--forget")).isZero();
    assertThat(Files.readAllLines(file)).allMatch(line -> line.startsWith("#"));
  }

  @Test
  void theModeChangesAtOnceAndKeysThatNeedARestartAreNamed() throws IOException {
    assertThat(run("enable", "scheduler")).isZero();
    assertThat(out.toString()).contains("scheduler is enforce").doesNotContain("takes effect");
    Files.writeString(file, "yarn.nodemanager.charon.killer.poll-ms=7\n");
    assertThat(run("enable", "scheduler", "--observe")).isZero();
    assertThat(out.toString())
        .contains(
            "scheduler is observe",
            "yarn.nodemanager.charon.killer.poll-ms takes effect after a restart of that"
                + " NodeManager");
  }

  @Test
  void anOrderThatTheNodeCannotUseIsRolledBack() throws IOException {
    run("enable", "cpu");
    Files.writeString(file, "yarn.nodemanager.charon.cgroup.enabled=false\n");
    assertThat(run("enable", "network")).isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot use it, so " + file + " is unchanged")
        .contains("network.mode needs yarn.nodemanager.charon.cgroup.enabled to be true");
    assertThat(Files.readString(file)).doesNotContain("network.mode");
  }

  @Test
  void aConfigurationWithoutAFileSaysWhichKeyToSet() throws IOException {
    Files.writeString(conf.resolve("yarn-site.xml"), "<configuration/>");
    assertThat(run("enable", "cpu")).isEqualTo(1);
    assertThat(err.toString())
        .contains(conf + "/yarn-site.xml names no overrides file")
        .contains("set yarn.nodemanager.charon.overrides-file");
  }

  @Test
  @Tag("must-never")
  void theNodesAnswerDeterminesNoPath() throws IOException {
    Path wished = directory.resolve("wished.properties");
    node.status("{\"configuration\":{\"file\":\"%s\",\"readMillis\":0}}".formatted(wished));
    assertThat(run("enable", "cpu")).isEqualTo(1);
    assertThat(err.toString())
        .contains("reports that its overrides file is " + wished, "the configuration here names");
    assertThat(wished).doesNotExist();
    assertThat(file).doesNotExist();
  }

  @Test
  @Tag("must-never")
  void aFileOfAnotherProgramIsNeverReplaced() throws IOException {
    Path other = Files.writeString(directory.resolve("shadow"), "root:*:1::::::");
    names(other);
    node.status("{\"configuration\":{\"file\":\"%s\"}}".formatted(other));
    assertThat(run("enable", "cpu")).isEqualTo(1);
    assertThat(err.toString()).contains("a file whose name ends in .properties");

    Path properties = Files.move(other, directory.resolve("log4j.properties"));
    names(properties);
    node.status("{\"configuration\":{\"file\":\"%s\"}}".formatted(properties));
    assertThat(run("enable", "cpu")).isEqualTo(1);
    assertThat(err.toString()).contains("'root' is not a key of Charon");
    assertThat(properties).hasContent("root:*:1::::::");
  }

  @Test
  @Tag("must-never")
  void nothingIsWrittenWhereOthersCanWriteOrBehindALink() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Path shut = Files.createDirectory(open.resolve("shut"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    refused(shut.resolve("overrides.properties"), open + " is not trusted");

    Path link = Files.createSymbolicLink(directory.resolve("link"), conf);
    refused(link.resolve("overrides.properties"), link + " is not trusted");
    try (Stream<Path> there = Files.list(conf)) {
      assertThat(there).containsExactly(conf.resolve("yarn-site.xml"));
    }
    assertThat(shut).isEmptyDirectory();
  }

  @Test
  void aNodeOnAnotherMachineIsRefusedBeforeAnythingIsWritten() throws IOException {
    // From the address range reserved for documentation.
    assertThat(runAt("192.0.2.1:8042", "enable", "cpu")).isEqualTo(1);
    assertThat(err.toString()).contains("run this on the machine of that NodeManager");
    assertThat(file).doesNotExist();
  }

  @Test
  void anOrderThatTheNodeDoesNotReadIsRolledBack() throws IOException {
    run("enable", "cpu");
    node.status("{\"configuration\":{\"file\":\"%s\",\"readMillis\":0}}".formatted(file));
    assertThat(run("enable", "network")).isEqualTo(1);
    assertThat(err.toString()).contains("has not read " + file);
    assertThat(Files.readString(file)).contains(CPU_MODE).doesNotContain("network.mode");
  }

  @Test
  void aNodeWithALongTickHasTheTimeToReadAnOrder() throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        Files.readString(conf.resolve("yarn-site.xml"))
            .replace(
                "</configuration>",
                "<property><name>yarn.nodemanager.charon.node.tick-ms</name>"
                    + "<value>60000</value></property></configuration>"));
    long tickEnds = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    node.status(
        () ->
            "{\"configuration\":{\"file\":\"%s\",\"readMillis\":%d}}"
                .formatted(file, System.nanoTime() > tickEnds ? Long.MAX_VALUE : 0));
    assertThat(run("enable", "cpu")).isZero();
    assertThat(Files.readString(file)).contains(CPU_MODE + "=enforce");
  }

  @Test
  void anUnknownMechanismIsAnsweredWithTheKnownOnes() {
    assertThat(run("enable", "cup")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "unknown part 'cup': choose from cache-ways, cores, cpu, cpu-burst, cpu-pool, disk-limit, evict-line, evict-psi, evict-satisfaction, freeze, memory, memory-bandwidth, memory-limit, network, proactive-reclaim, process-limit, scheduler");
  }

  @Test
  void aNodeIsStoppedAndResumed() throws IOException {
    assertThat(run("stop", "--reason", "disk = failing")).isZero();
    assertThat(out.toString())
        .contains(node.address() + ": no best-effort container starts, confirmed after ")
        .contains("  stopped   since 2026-01-31T12:00:00Z by alice, on this node: disk = failing")
        .contains("(leave: running containers continue)");
    assertThat(run("stop", "--kill")).isZero();
    assertThat(Files.readAllLines(file)).contains(STOP + "action=kill", STOP + "by=alice");
    assertThat(run("resume")).isZero();
    assertThat(out.toString())
        .contains(node.address() + ": best-effort containers start again, confirmed after");
    assertThat(Files.readAllLines(file)).contains(STOP + "action=none", STOP + "by=alice");
  }

  @Test
  void theTreatmentOfRunningContainersIsOneOption() {
    assertThat(run("stop", "--kill", "--freeze")).isEqualTo(2);
    assertThat(file).doesNotExist();
  }

  @Test
  void theJsonHasTheOutcome() throws IOException {
    assertThat(run("stop", "--freeze", "--json")).isZero();
    JsonNode document = mapper.readTree(out.toString());
    assertThat(document.path("confirmed").asBoolean()).isTrue();
    assertThat(document.path("seconds").isNumber()).isTrue();
    assertThat(document.path("stop").path("action").asText()).isEqualTo("freeze");
  }

  @Test
  void withoutANodeManagerTheStopHoldsFromItsStart() throws IOException {
    String address = node.address();
    node.close();
    assertThat(runAt(address, "stop")).isZero();
    assertThat(out.toString())
        .contains(
            address
                + ": no daemon listens at this address; the stop takes effect when the daemon starts");
    assertThat(Files.readAllLines(file)).contains(STOP + "action=leave");
  }

  @Test
  void anUnconfirmedStopIsKept() throws IOException {
    node.status(
        "{\"configuration\":{\"file\":\"%s\"},\"stop\":{\"readMillis\":0}}".formatted(file));
    assertThat(run("stop")).isEqualTo(1);
    assertThat(err.toString()).contains("has not confirmed", "the order stays in " + file);
    assertThat(Files.readAllLines(file)).contains(STOP + "action=leave");
  }

  @Test
  void aNodeWithAnotherFileIsNotStoppedByThisOne() {
    node.status("{\"configuration\":{\"file\":\"/elsewhere.properties\"}}");
    assertThat(run("stop")).isEqualTo(1);
    assertThat(err.toString()).contains("reports that its overrides file is /elsewhere.properties");
    assertThat(file).doesNotExist();
  }

  @Test
  void theClusterIsStoppedByItsOwnFile() throws IOException {
    assertThat(run("stop", "--cluster")).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "names no file for a stop of the cluster", "set yarn.resourcemanager.charon.stop-file");

    Path stopFile = directory.resolve("charon/cluster-stop.properties");
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration><property>
          <name>yarn.resourcemanager.charon.stop-file</name><value>%s</value>
        </property><property>
          <name>yarn.resourcemanager.ha.enabled</name><value>true</value>
        </property></configuration>
        """
            .formatted(stopFile));
    // The web server serves every path except this one.
    assertThat(run("stop", "--cluster", "--freeze", "--resourcemanager", node.address()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("add io.charon.scheduler.resourcemanager.ClusterStopIn");
    assertThat(Files.readAllLines(stopFile))
        .contains(
            "yarn.resourcemanager.charon.stop.action=freeze",
            "yarn.resourcemanager.charon.stop.by=alice");
    assertThat(file).doesNotExist();
    assertThat(out.toString()).contains("give the same order on their hosts");

    node.close();
    assertThat(run("resume", "--cluster", "--resourcemanager", node.address())).isZero();
    assertThat(out.toString())
        .contains(
            "no daemon listens at this address; the order takes effect when the daemon starts");
    assertThat(runAt(node.address(), "stop", "--cluster", "--resourcemanager", "192.0.2.1:8088"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("run this on the machine of that ResourceManager");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "resume", "reload"})
  void anOrderToTheNodeNamesNoResourceManager(String command) {
    assertThat(run(command, "--resourcemanager", "rm1:8088")).isEqualTo(2);
    assertThat(err.toString()).contains("add --cluster");
    assertThat(file).doesNotExist();
  }

  @Test
  void otherCommandsKeepAStop() throws IOException {
    run("stop");
    run("enable", "cpu");
    assertThat(run("reload", "--forget")).isZero();
    assertThat(Files.readAllLines(file))
        .contains(STOP + "action=leave")
        .noneMatch(line -> line.startsWith(CPU_MODE));
  }

  @Test
  @Tag("must-never")
  void aStopDuringARollbackOfAnotherCommandStays() throws Exception {
    run("enable", "cpu");
    node.status("{\"configuration\":{\"file\":\"%s\",\"readMillis\":0}}".formatted(file));
    Thread enable = new Thread(() -> run("enable", "network"));
    enable.start();
    while (!Files.readString(file).contains("network.mode")) {
      Thread.sleep(10);
    }
    assertThat(run("stop")).as("nobody confirms").isEqualTo(1);
    enable.join();
    assertThat(Files.readString(file))
        .contains(STOP + "action=leave", CPU_MODE)
        .doesNotContain("network.mode");
  }

  @Test
  @Tag("must-never")
  void noneOfManyConcurrentCommandsIsLost() throws Exception {
    List<Thread> commands =
        Stream.of("cpu", "memory", "cores", "network", "freeze")
            .map(part -> new Thread(() -> run("enable", part, "--observe")))
            .collect(Collectors.toCollection(ArrayList::new));
    commands.add(new Thread(() -> run("stop", "--kill")));
    commands.add(new Thread(() -> run("stop", "--kill")));
    commands.forEach(Thread::start);
    for (Thread command : commands) {
      command.join();
    }
    assertThat(err.toString()).isEmpty();
    assertThat(Files.readAllLines(file)).contains(STOP + "action=kill");
    assertThat(Files.readAllLines(file).stream().filter(line -> line.endsWith("=observe")))
        .hasSize(5);
  }

  private synchronized String status(SettingsSource source, StopFile stop) {
    var unused = source.changed();
    SettingsSource.State state = source.state();
    StopFile.State order = stop.check();
    return mapper
        .valueToTree(
            Map.of(
                "stop",
                Map.of(
                    "action", order.order().action().label(),
                    "origin", "node",
                    "by", order.order().by(),
                    "since", order.order().since().toString(),
                    "reason", order.order().reason(),
                    "readMillis", order.readMillis()),
                "configuration",
                Map.of(
                    "file", state.file().orElseThrow(),
                    "overrides", state.overrides(),
                    "readMillis", state.readMillis(),
                    "needRestart", state.needRestart(),
                    "problem", state.problem().orElse(""))))
        .toString();
  }

  private void refused(Path path, String reason) throws IOException {
    names(path);
    node.status("{\"configuration\":{\"file\":\"%s\"}}".formatted(path));
    assertThat(run("enable", "cpu")).isEqualTo(1);
    assertThat(err.toString()).contains(reason);
  }

  private void names(Path path) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration><property>
          <name>yarn.nodemanager.charon.overrides-file</name><value>%s</value>
        </property></configuration>
        """
            .formatted(path));
  }

  private int run(String command, String... arguments) {
    return runAt(node.address(), command, arguments);
  }

  private int runAt(String address, String command, String... arguments) {
    Duration timeout = Duration.ofSeconds(2);
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--node", address, "--conf", conf.toString()));
    Object chosen =
        switch (command) {
          case "enable" -> new EnableCommand(timeout);
          case "disable" -> new DisableCommand(timeout);
          case "stop" -> new StopCommand(timeout, "alice", NOON);
          case "resume" -> new ResumeCommand(timeout, "alice", NOON);
          default -> new ReloadCommand(timeout, "alice", NOON);
        };
    return new CommandLine(chosen)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
