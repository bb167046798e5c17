/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class StatusCommandTest {
  private static final String STATUS =
      """
      {"mode":"enforce","node":{"boundary":"self","capacityBytes":3221225472,"availableBytes":1073741824},
       "snapshotBytes":943718400,"runnablePerCore":2.25,"launchesDelayedSeconds":2.5,
       "placement":{"enforced":2,"untouched":1,"complete":false},
       "counters":{"launched":12,"rejected":0,"shed":1,"killed":2},
       "running":[
         {"containerId":"container_1_0001_01_000001","executionType":"guaranteed","applicationMaster":true,
          "job":"word\\u001b[2Jcount","requestedBytes":536870912,"workingSetBytes":209715200,
          "peakBytes":314572800},
         {"containerId":"container_2_0001_01_000001","executionType":"guaranteed","applicationMaster":true,
          "bestEffortMasterPercent":10,"job":"index","requestedBytes":536870912,"workingSetBytes":209715200,
          "peakBytes":314572800},
         {"containerId":"container_1_0001_01_000002","executionType":"opportunistic",
          "applicationMaster":false,"job":"sort","requestedBytes":536870912,
          "expectedPeakBytes":1610612736,"workingSetBytes":419430400,"peakBytes":524288000}],
       "queued":[{"containerId":"container_1_0001_01_000003","job":"grep","requestedBytes":1073741824,
                  "waitingSeconds":4.25,"reason":"snapshot too small"}],
       "decisions":[{"time":"2026-11-21T13:33:00Z","containerId":"container_1_0001_01_000002",
                     "outcome":"launched","reason":"fits","neededBytes":1610612736,
                     "limitBytes":2147483648}],
       "killer":{"inCharge":"kernel","tier":1,"reason":"all well","domain":"/cg/node"},
       "regulators":[
         {"name":"memory","mode":"observe","available":true,"signal":"working set","signalUnit":"bytes",
          "value":1048576000,"mean":1068498944,"standardDeviation":20971520,"limitUnit":"bytes",
          "capacity":3221225472,"bestEffort":419430400,"limit":2147483648,
          "cause":"the foreground is within its range","result":"not applied: observe"},
         {"name":"cpu","mode":"enforce","available":false,"unavailable":"no PSI here"},
         {"name":"network","mode":"off"}],
       "kills":[{"time":"2026-11-21T13:34:00Z","containerId":"container_1_0001_01_000009",
                 "by":"kernel","reason":"it thrashed",
                 "thrash":{"decisionToLastSignalMillis":0.042}}]}
      """;

  private final ObjectMapper mapper = new ObjectMapper();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private FakeNodeManager node;
  private String address;

  @BeforeEach
  void startNodeManager() throws IOException {
    node = FakeNodeManager.start();
    address = node.address();
  }

  @AfterEach
  void stopNodeManager() {
    node.close();
  }

  @Test
  void reportsThatTheSettingsInForceDifferFromTheConfiguredOnes() {
    node.status("{\"mode\":\"observe\",\"configuration\":{\"problem\":\"a key is renamed\"}}");
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString()).contains("  settings  not as configured: a key is renamed\n");
  }

  @Test
  void printsWhatTheNodeReports() {
    node.status(STATUS);
    assertThat(run("--node", address)).isZero();
    assertThat(node.query()).isEqualTo("qry=io.charon:type=Status");
    assertThat(out.toString())
        .contains(address + "  mode enforce\n")
        .contains("1.00 GiB available of 3.00 GiB (boundary self); snapshot 900 MiB")
        .contains("launches  delayed for 2.5 s after a kill")
        .contains("CPUs      2.25 threads run or wait for each")
        .contains("launched 12, rejected 0, shed 1, killed 2")
        .contains(
            "placement 2 containers were placed by Charon, 1 started without Charon; enforce is"
                + " complete when the latter have ended")
        .containsPattern(
            "000001 +guaranteed, master +200 MiB +300 MiB +- +word\\\\u\\{1b}\\[2Jcount\n")
        .containsPattern("000001 +guaranteed, best-effort master +200 MiB +300 MiB +- +index\n")
        .containsPattern("000002 +opportunistic +400 MiB +500 MiB +1.50 GiB +sort\n")
        .containsPattern("000003 +4\\.[23] s +1.00 GiB +snapshot too small +grep\n")
        .containsPattern("13:33:00Z +\\S+000002 +launched +1.50 GiB +2.00 GiB +fits\n")
        .contains("killer    kernel, tier 1 (all well), domain /cg/node\n")
        .contains("regulators: 2 on, 1 off")
        .containsPattern(
            "memory +observe +working set +1000 MiB +1019 MiB +20 MiB +400 MiB +2.00 GiB +"
                + "the foreground is within its range; not applied: observe\n")
        .containsPattern("cpu +enforce( +-){6} +unavailable: no PSI here\n")
        .containsPattern("13:34:00Z +\\S+000009 +kernel +0.04 ms +- +it thrashed\n")
        .doesNotContain("\u001b");
  }

  @Test
  void theFallbackReportsWhyTheKernelKillerIsNotInCharge() {
    node.status("{\"killer\":{\"inCharge\":\"user-space\",\"reason\":\"not loaded\"}}");
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString()).contains("killer    user-space; kernel killer: not loaded\n");
  }

  @Test
  void containersOutsideOfTheirCgroupsAreNamedWithTheCure() {
    node.status(
        """
        {"outsideCgroups":{"containers":12,"named":[{"containerId":"container_1","cgroup":"/cg/nm"}],
         "reason":"the kernel says no","cure":"ask root"}}""");
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString())
        .contains(
            "  OUTSIDE   12 CONTAINERS RUN OUTSIDE THEIR CGROUPS, without protection:"
                + " container_1 in /cg/nm\n            because the kernel says no; ask root\n");
  }

  @Test
  void foreignCgroupsAreReportedWithWhatIsNotEnforced() {
    node.status(
        """
        {"isolation":{"kind":"attach","makers":["a is true","b is 'docker'"],
         "memoryLimit":"not enforced: no parent"}}""");
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString())
        .contains(
            "  isolation attach: YARN or Docker creates the cgroups of containers"
                + " (a is true; b is 'docker')\n"
                + "            memory limit of best-effort: not enforced: no parent\n");
  }

  @Test
  void fieldsThatAreNotReportedAreDashes() {
    node.status("{\"mode\":\"off\",\"running\":[{}],\"queued\":[]}");
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString())
        .contains("mode off", "- available of - (boundary -); snapshot -")
        .contains("not delayed", "running: 1", "queued: 0", "last decisions: not reported")
        .contains("regulators: not reported");
  }

  @Test
  void frozenContainersAreShownIfFreezingIsOn() {
    node.status(
        """
        {"freeze": {"mode": "enforce", "available": true, "frozen": [
          {"containerId": "c1", "seconds": 2.5, "reclaimedBytes": 0, "reason": "1 MiB of 9 left"}]}}
        """);
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString()).contains("frozen (enforce): 1", "c1", "1 MiB of 9 left");
  }

  @Test
  void anImpossibleFreezeReportsItsReason() {
    node.status(
        """
        {"freeze": {"mode": "enforce", "available": false, "unavailable": "no freezer"}}
        """);
    assertThat(run("--node", address)).isZero();
    assertThat(out.toString()).contains("freeze     unavailable: no freezer");
  }

  @Test
  void jsonHoldsAnswersAndErrorsOfAllNodes() throws IOException {
    node.status(STATUS);
    int exitCode = run("--json", "--node", address, "--node", "localhost:1");
    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString()).doesNotContain("\u001b");
    JsonNode nodes = mapper.readTree(out.toString()).path("nodes");
    assertThat(nodes.path(0).path("node").asText()).isEqualTo(address);
    assertThat(nodes.path(0).path("status")).isEqualTo(mapper.readTree(STATUS));
    assertThat(nodes.path(1).path("error").asText()).contains("http://localhost:1/jmx");
  }

  @Test
  void unreachableNodeNamesUrlAndKey() {
    assertThat(run("--node", "localhost:1")).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "Cannot reach http://localhost:1/jmx?qry=io.charon:type=Status: connection refused")
        .contains("yarn.nodemanager.webapp.address");
  }

  @Test
  void anUnknownHostIsReportedAsUnknown() {
    assertThat(run("--node", "nosuchhost.invalid:8042")).isEqualTo(1);
    assertThat(err.toString()).contains("unknown host");
  }

  @Test
  void nodeManagerWithoutCharonTellsHowToAddIt() {
    node.body("{\"beans\":[]}");
    assertThat(run("--node", address)).isEqualTo(1);
    assertThat(err.toString()).contains("Charon does not run", "yarn.nodemanager.aux-services");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>login</html>", "{}", "[]", ""})
  void anotherServerIsNotANodeManager(String answer) {
    node.body(answer);
    assertThat(run("--node", address)).isEqualTo(1);
    assertThat(err.toString()).contains("not the JMX page of a NodeManager");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no json", "[1]"})
  void anInvalidStatusDocumentIsAnError(String document) {
    node.status(document);
    assertThat(run("--node", address)).isEqualTo(1);
    assertThat(err.toString()).contains("attribute Json is not");
  }

  @Test
  void httpErrorNamesItsStatus() {
    node.httpStatus(403);
    assertThat(run("--node", address)).isEqualTo(1);
    assertThat(err.toString()).contains("HTTP status 403");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"node1", "node1:0", "node1:70000", ":8042", "node1:8042/x", "a b:1", "u@node1:1"})
  void addressMustBeHostAndPort(String wrong) {
    assertThat(run("--node", wrong)).isEqualTo(2);
    assertThat(err.toString()).contains("'" + wrong + "' is not HOST:PORT");
  }

  @Test
  void addressMayBeIpv6() {
    assertThat(ClusterAccess.of(Optional.empty()).uri(NodeAddress.parse("[::1]:8042"), "/jmx"))
        .hasToString("http://[::1]:8042/jmx");
  }

  @Test
  void theConfigurationDecidesBetweenHttpAndHttps(@TempDir Path conf) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration>
          <property><name>yarn.http.policy</name><value>HTTPS_ONLY</value></property>
          <property><name>yarn.resourcemanager.hostname</name><value>rm1</value></property>
        </configuration>
        """);
    ClusterAccess access = ClusterAccess.of(Optional.of(conf));
    assertThat(access.uri(new NodeAddress("node1", 8044), "/jmx"))
        .hasToString("https://node1:8044/jmx");
    assertThat(access.nodeManagerHere().port()).isEqualTo(8044);
    assertThat(access.resourceManagers()).containsExactly(URI.create("https://rm1:8090"));
  }

  @Test
  void theResourceManagerHereIsTheConfiguredOneOfThisMachine(@TempDir Path conf)
      throws IOException {
    assertThat(ClusterAccess.of(Optional.empty()).resourceManagerHere())
        .isEqualTo(new NodeAddress("localhost", 8088));

    resourceManagers(conf, "198.51.100.1:8088", "127.0.0.1:9088");
    assertThat(ClusterAccess.of(Optional.of(conf)).resourceManagerHere())
        .isEqualTo(new NodeAddress("127.0.0.1", 9088));

    resourceManagers(conf, "198.51.100.1:8088", "0.0.0.0:9099");
    assertThat(ClusterAccess.of(Optional.of(conf)).resourceManagerHere())
        .isEqualTo(new NodeAddress("localhost", 9099));

    resourceManagers(conf, "198.51.100.1:8088", "198.51.100.2:8088");
    assertThatThrownBy(() -> ClusterAccess.of(Optional.of(conf)).resourceManagerHere())
        .hasMessageContaining("(198.51.100.1:8088, 198.51.100.2:8088)");
  }

  @Test
  void theNodeManagerHereIsTheConfiguredOne(@TempDir Path conf) throws IOException {
    assertThat(nodeManager(conf, "other", "key")).isEqualTo(new NodeAddress("localhost", 8042));
    assertThat(nodeManager(conf, "yarn.nodemanager.webapp.address", "0.0.0.0:9042"))
        .isEqualTo(new NodeAddress("localhost", 9042));
    assertThat(nodeManager(conf, "yarn.nodemanager.webapp.address", "node1:9042"))
        .isEqualTo(new NodeAddress("node1", 9042));
    assertThat(
            nodeManager(
                conf, "yarn.nodemanager.webapp.address", "${yarn.nodemanager.hostname}:9042"))
        .isEqualTo(new NodeAddress("localhost", 9042));
    assertThat(nodeManager(conf, "yarn.nodemanager.hostname", "node1"))
        .isEqualTo(new NodeAddress("node1", 8042));
    assertThat(nodeManager(conf, "yarn.nodemanager.webapp.https.address", "node1:9044"))
        .as("the policy is http")
        .isEqualTo(new NodeAddress("localhost", 8042));
  }

  @Test
  void withHttpsTheNodeManagerHereHasItsOwnKey(@TempDir Path conf) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration>
          <property><name>yarn.http.policy</name><value>HTTPS_ONLY</value></property>
          <property><name>yarn.nodemanager.webapp.address</name><value>node1:9042</value></property>
          <property>
            <name>yarn.nodemanager.webapp.https.address</name><value>node1:9044</value>
          </property>
        </configuration>
        """);
    assertThat(ClusterAccess.of(Optional.of(conf)).nodeManagerHere())
        .isEqualTo(new NodeAddress("node1", 9044));
  }

  @Test
  void anAddressOfTheNodeManagerWithoutAPortIsWrongUsageThatNamesItsKey(@TempDir Path conf)
      throws IOException {
    assertThatThrownBy(() -> nodeManager(conf, "yarn.nodemanager.webapp.address", "0.0.0.0:0"))
        .hasMessageContaining("yarn.nodemanager.webapp.address: '0.0.0.0:0' is not HOST:PORT");
    assertThat(run("--conf", conf.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("or name the NodeManager with --node");
  }

  private static NodeAddress nodeManager(Path conf, String key, String value) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(key, value));
    return ClusterAccess.of(Optional.of(conf)).nodeManagerHere();
  }

  private static void resourceManagers(Path conf, String first, String second) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration>
          <property><name>yarn.resourcemanager.ha.enabled</name><value>true</value></property>
          <property><name>yarn.resourcemanager.ha.rm-ids</name><value>rm1,rm2</value></property>
          <property><name>yarn.resourcemanager.webapp.address.rm1</name><value>%s</value></property>
          <property><name>yarn.resourcemanager.webapp.address.rm2</name><value>%s</value></property>
        </configuration>
        """
            .formatted(first, second));
  }

  @Test
  void aBrokenConfigurationIsWrongUsageThatNamesTheFile(@TempDir Path conf) throws IOException {
    Files.writeString(conf.resolve("core-site.xml"), "<configuration>");
    assertThat(run("--conf", conf.toString(), "--node", address)).isEqualTo(2);
    assertThat(err.toString()).contains(conf.resolve("core-site.xml").toString());
  }

  @Test
  void allNodesAreThoseThatTheResourceManagerKnows(@TempDir Path conf) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration><property>
          <name>yarn.resourcemanager.webapp.address</name><value>%s</value>
        </property></configuration>
        """
            .formatted(address));
    node.body("{\"nodes\":{\"node\":[{\"nodeHTTPAddress\":\"localhost:1\"}]}}");
    assertThat(run("--all", "--conf", conf.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("Cannot reach http://localhost:1/jmx");

    node.body("{\"nodes\":null}");
    assertThat(run("--all", "--conf", conf.toString())).isZero();
    node.httpStatus(503);
    assertThat(run("--all", "--conf", conf.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("--all: no ResourceManager lists its running nodes", "status 503", "--conf DIR");
  }

  private int run(String... args) {
    return new CommandLine(new StatusCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
