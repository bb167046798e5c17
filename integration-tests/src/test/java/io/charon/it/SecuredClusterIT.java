/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with Kerberos: alice is an administrator of YARN, bob is a user, and the daemons have
 * keytabs.
 */
@Tag("long")
class SecuredClusterIT {
  private static final int DAY_SECONDS = 86_400;
  private static final int SHORT_TICKET_SECONDS = 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private TestKdc kdc;
  private Path alice;
  private Path bob;
  private SecuredCluster cluster;
  private ClusterAccess access;
  private StatusClient client;

  private void startKdc(int ticketSeconds) throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    kdc = TestKdc.start(Files.createDirectory(directory.resolve("kdc")), ticketSeconds);
    alice = kdc.ticketCache("alice");
    bob = kdc.ticketCache("bob");
  }

  @AfterEach
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (kdc != null) {
      kdc.close();
    }
    UserGroupInformation.reset();
  }

  @Test
  void overHttp() throws Exception {
    startKdc(DAY_SECONDS);
    start(false);
    unknownCallersGet401();
    bobIsRefused();
    bobTeachesNoPeaks();
    aliceSeesAndChanges();
    daemonsKnowOneAnother();
  }

  @Test
  void overHttps() throws Exception {
    startKdc(DAY_SECONDS);
    start(true);
    aliceSeesAndChanges();
    bobIsRefused();
    daemonsKnowOneAnother();
    anEmptyListOfTrustedCallersIsReported();
  }

  @Test
  void ticketsAreRenewedAndWithoutAKdcTheNodeGoesOn() throws Exception {
    startKdc(SHORT_TICKET_SECONDS);
    start(false);
    long before = exchanges();
    await(
        "the node tells peaks each second, for longer than two tickets are good",
        () -> exchanges() > before + 2 * SHORT_TICKET_SECONDS);

    int begin = nodeManagerLog().length();
    kdc.close();
    await("it says that peaks are not shared", () -> said(begin, "peaks are not shared") > 0);
    await(
        "it goes by the last word",
        () -> said(begin, "the last reported one remains in force") > 0);
    assertThat(said(begin, "peaks are not shared")).as("lines about peaks").isEqualTo(1);
    assertThat(nodeManagerLog().substring(begin))
        .containsPattern("peaks are not shared.*no KDC can be reached");
    assertThat(nodeManagerLog().substring(begin))
        .containsPattern("the last reported one remains in force.*no KDC can be reached");
    cluster.requireAlive();
  }

  @Test
  void ofAPairOfResourceManagersTheOtherOneGoesOn() throws Exception {
    startKdc(DAY_SECONDS);
    logIn();
    cluster = SecuredCluster.startPair(kdc, state(), "alice");
    activate("rm1");
    awaitRegistered();
    daemonsKnowOneAnother();
    SecuredCluster.CommandResult refused = cluster.activate(bob, "rm2");
    assertThat(refused.code()).as("%s", refused).isNotZero();
    assertThat(refused.err()).contains("User bob doesn't have permission");
    assertThat(
            charon(alice, "stop", "--cluster", "--resourcemanager", cluster.resourceManager("rm1")))
        .extracting(SecuredCluster.CommandResult::code)
        .isEqualTo(0);
    await("the node stops", () -> status().path("stop").path("action").asText().equals("leave"));

    cluster.kill("rm1");
    activate("rm2");
    awaitRegistered();
    long before = exchanges();
    await("the node tells its peaks to the other one", () -> exchanges() > before + 3);
    assertThat(status().path("stop").path("action").asText()).isEqualTo("leave");
    assertThat(status().at("/stop/cluster/problem").asText())
        .contains(cluster.resourceManager("rm1"))
        .doesNotContain(cluster.resourceManager("rm2"));

    assertThat(
            charon(
                alice, "resume", "--cluster", "--resourcemanager", cluster.resourceManager("rm2")))
        .extracting(SecuredCluster.CommandResult::code)
        .isEqualTo(0);
    await(
        "the node goes by the newer order",
        () -> status().path("stop").path("action").asText().equals("none"));
    cluster.requireAlive();
  }

  /** Makes a ResourceManager active, as alice, as soon as it listens. */
  private void activate(String id) throws Exception {
    List<String> said = new ArrayList<>();
    try {
      await(
          id + " is active",
          () -> {
            SecuredCluster.CommandResult result = cluster.activate(alice, id);
            said.add(result.err());
            return result.code() == 0;
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + said.get(said.size() - 1), e);
    }
  }

  private String nodeManagerLog() throws IOException {
    return Files.readString(cluster.log("nodemanager"));
  }

  /** Returns the number of lines with these words since the log had a given length. */
  private long said(int begin, String words) throws IOException {
    return nodeManagerLog().substring(begin).lines().filter(line -> line.contains(words)).count();
  }

  private void start(boolean https) throws Exception {
    logIn();
    cluster = SecuredCluster.start(kdc, state(), https, "alice");
    awaitRegistered();
  }

  /** Logs this process in as alice. */
  private void logIn() throws Exception {
    Configuration secured = new Configuration();
    secured.set("hadoop.security.authentication", "kerberos");
    secured.set("hadoop.kerberos.min.seconds.before.relogin", "1");
    UserGroupInformation.setConfiguration(secured);
    UserGroupInformation.loginUserFromKeytab(kdc.principal("alice"), keytab("alice"));
  }

  private Path state() throws IOException {
    Path state = Files.createDirectory(directory.resolve("cluster"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    return state;
  }

  private void awaitRegistered() throws Exception {
    await(
        "the node is registered: " + cluster.log("nodemanager"),
        // A ticket from before could expire before slow daemons have started.
        () -> charon(kdc.ticketCache("alice"), "status", "--all").out().contains(cluster.node()));
    access = ClusterAccess.of(Optional.of(cluster.conf()));
    client = new StatusClient(access);
  }

  private String keytab(String user) {
    return directory.resolve("kdc/" + user + ".keytab").toString();
  }

  private SecuredCluster.CommandResult charon(Path ticketCache, String... arguments)
      throws Exception {
    SecuredCluster.CommandResult said = cluster.charon(ticketCache, arguments);
    assertThat(said.err()).as("a stack trace").doesNotContain("\tat ");
    return said;
  }

  private void aliceSeesAndChanges() throws Exception {
    SecuredCluster.CommandResult status = charon(alice, "status", "--node", cluster.node());
    assertThat(status.out()).contains(cluster.node() + "  mode observe");
    assertThat(status.code()).isZero();
    assertThat(charon(alice, "top", "--all", "--once").out()).contains(cluster.node());
    assertThat(charon(alice, "explain", "000004", "--all").err()).contains("no node that answered");

    SecuredCluster.CommandResult enabled =
        charon(alice, "enable", "scheduler", "--node", cluster.node());
    assertThat(enabled.out()).as(enabled.err()).contains("scheduler is enforce");
    SecuredCluster.CommandResult stopped =
        charon(alice, "stop", "--node", cluster.node(), "--reason", "a test");
    assertThat(stopped.out()).as(stopped.err()).contains("confirmed after");
    assertThat(charon(alice, "resume", "--node", cluster.node()).code()).isZero();

    SecuredCluster.CommandResult everywhere =
        charon(alice, "stop", "--cluster", "--resourcemanager", cluster.resourceManager());
    assertThat(everywhere.out()).as(everywhere.err()).contains("confirmed after");
    await(
        "the node hears of it, by the login from its keytab",
        () ->
            status().path("stop").path("origin").asText().equals("cluster")
                && status().path("stop").path("action").asText().equals("leave"));
    assertThat(charon(alice, "resume", "--cluster", "--resourcemanager", cluster.resourceManager()))
        .extracting(SecuredCluster.CommandResult::code)
        .isEqualTo(0);
    await("and of its end", () -> status().path("stop").path("action").asText().equals("none"));
  }

  /** Returns the status, read in this process as alice. */
  private JsonNode status() throws Exception {
    return client.read(NodeAddress.parse(cluster.node()));
  }

  private void bobIsRefused() throws Exception {
    SecuredCluster.CommandResult refused = charon(bob, "status", "--node", cluster.node());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "HTTP status 403",
            "not authorized to access this page",
            "The server knows the user and refuses the request: yarn.admin.acl");
    SecuredCluster.CommandResult nobody =
        charon(directory.resolve("no-ticket"), "status", "--node", cluster.node());
    assertThat(nobody.code()).isEqualTo(1);
    assertThat(nobody.err()).contains("no valid Kerberos ticket: run kinit first");
  }

  private void unknownCallersGet401() throws Exception {
    for (String path : new String[] {"/jmx", "/charon/status", "/charon/metrics"}) {
      assertThat(code(cluster.node() + path)).as(path).isEqualTo(401);
    }
    for (String path :
        new String[] {"/charon/cluster/status", "/charon/stop", "/charon/peaks", "/jmx"}) {
      assertThat(code(cluster.resourceManager() + path)).as(path).isEqualTo(401);
    }
  }

  private static int code(String address) throws Exception {
    HttpURLConnection bare =
        (HttpURLConnection) URI.create("http://" + address).toURL().openConnection();
    try {
      return bare.getResponseCode();
    } finally {
      bare.disconnect();
    }
  }

  private void bobTeachesNoPeaks() throws Exception {
    HttpURLConnection post = as("bob", cluster.resourceManager() + "/charon/peaks");
    post.setRequestMethod("POST");
    post.setRequestProperty("Content-Type", "application/json");
    post.setDoOutput(true);
    post.getOutputStream().write("{}".getBytes(StandardCharsets.UTF_8));
    assertThat(post.getResponseCode()).isEqualTo(403);
    assertThat(new String(post.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains(
            "bob is not a user of YARN's daemons: only NodeManagers may report measured peaks");

    assertThat(as("bob", cluster.resourceManager() + "/charon/stop").getResponseCode())
        .isEqualTo(403);
    assertThat(as("bob", cluster.resourceManager() + "/charon/cluster/status").getResponseCode())
        .isEqualTo(403);
    assertThat(as("bob", cluster.node() + "/charon/status").getResponseCode()).isEqualTo(403);
    assertThat(as("alice", cluster.node() + "/charon/status").getResponseCode()).isEqualTo(200);
  }

  /** Returns a connection of a user, opened by Hadoop's own client. */
  private HttpURLConnection as(String user, String address) throws Exception {
    UserGroupInformation login =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(kdc.principal(user), keytab(user));
    URL url = URI.create("http://" + address).toURL();
    return login.doAs(
        (PrivilegedExceptionAction<HttpURLConnection>)
            () -> new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token()));
  }

  /**
   * Checks the exchange of peaks and the cluster's orders for longer than a web server's session.
   */
  private void daemonsKnowOneAnother() throws Exception {
    // Earlier lines are skipped, because before both daemons had started, requests failed.
    int begin = nodeManagerLog().length();
    long before = exchanges();
    await(
        "the node tells peaks, again and again",
        () -> exchanges() > before + 2 * SecuredCluster.SESSION_SECONDS);
    assertThat(status().at("/stop/cluster/problem").asText(""))
        .as("the ResourceManager answers the node: %s", status().path("stop"))
        .isEmpty();
    assertThat(nodeManagerLog().substring(begin))
        .doesNotContain(
            "peaks are not shared, the node uses only its own",
            "the last reported one remains in force");
  }

  private long exchanges() throws Exception {
    URI jmx =
        access.uri(
            NodeAddress.parse(cluster.node()), "/jmx?qry=charon:name=charon_peak_exchanges,*");
    byte[] answer =
        access
            .client(Duration.ofMinutes(1), Duration.ofMinutes(1), 1 << 20)
            .send(HttpRequest.newBuilder(jmx));
    return JSON.readTree(answer).at("/beans/0/Count").asLong(-1);
  }

  private void anEmptyListOfTrustedCallersIsReported() throws Exception {
    Path bare = Files.createDirectory(directory.resolve("bare"));
    Files.copy(cluster.conf().resolve("yarn-site.xml"), bare.resolve("yarn-site.xml"));
    SecuredCluster.CommandResult said =
        charon(alice, "status", "--node", cluster.node(), "--conf", bare.toString());
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .contains("the server's certificate is not trusted", "ssl.client.truststore");
  }
}
