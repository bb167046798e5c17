/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.FreePorts;
import io.charon.evaluation.cluster.Installation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * A NodeManager and one ResourceManager, or two of which one is active, with Kerberos. Each is in a
 * process of its own that runs as the user of the test.
 */
final class SecuredCluster implements AutoCloseable {
  static final String PASSWORD = "not-secret";

  /** Lifetime of an authenticated session with a web server. */
  static final int SESSION_SECONDS = 5;

  /** Time limit of a command, which gives up waiting for a server or a KDC much earlier. */
  private static final int COMMAND_SECONDS = 180;

  private static final String RESOURCE_MANAGER =
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String ADMINISTRATION = "org.apache.hadoop.yarn.client.cli.RMAdminCLI";

  /** Ids of the two ResourceManagers of a pair. */
  static final List<String> PAIR = List.of("rm1", "rm2");

  private final Installation installation = Installation.locate();
  private final TestKdc kdc;
  private final Path directory;
  private final boolean https;
  private final FreePorts ports = new FreePorts();
  private final Map<String, String> site = new TreeMap<>();
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private int webOfResourceManager;
  private int webOfNodeManager;

  private SecuredCluster(TestKdc kdc, Path directory, boolean https) {
    this.kdc = kdc;
    this.directory = directory;
    this.https = https;
  }

  /**
   * Starts a ResourceManager and a NodeManager.
   *
   * @param directory empty directory to which no other user may write
   * @param https whether the web servers use only HTTPS
   * @param administrator user that may see status and pages, in addition to the daemons
   */
  static SecuredCluster start(TestKdc kdc, Path directory, boolean https, String administrator)
      throws Exception {
    return start(kdc, directory, https, administrator, Map.of());
  }

  /**
   * Starts a ResourceManager and a NodeManager that run containers.
   *
   * @param directory empty directory that the users of containers may enter
   * @param properties further properties of the daemons: of the executor and its cgroups
   */
  static SecuredCluster startWithContainers(
      TestKdc kdc, Path directory, String administrator, Map<String, String> properties)
      throws Exception {
    return start(kdc, directory, false, administrator, properties);
  }

  private static SecuredCluster start(
      TestKdc kdc,
      Path directory,
      boolean https,
      String administrator,
      Map<String, String> properties)
      throws Exception {
    SecuredCluster cluster = new SecuredCluster(kdc, directory, https);
    cluster.configure(administrator);
    cluster.site.putAll(properties);
    cluster.writeConfiguration();
    boolean started = false;
    try {
      cluster.launch("resourcemanager", cluster.conf().toString(), RESOURCE_MANAGER);
      cluster.launch("nodemanager", cluster.conf().toString(), NODE_MANAGER);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  /**
   * Starts a pair of ResourceManagers, both as standby, and a NodeManager, over HTTP. One of them
   * has to be {@link #activate activated}.
   */
  static SecuredCluster startPair(TestKdc kdc, Path directory, String administrator)
      throws Exception {
    SecuredCluster cluster = new SecuredCluster(kdc, directory, false);
    cluster.configure(administrator);
    cluster.configurePair();
    cluster.writeConfiguration();
    boolean started = false;
    try {
      for (String id : PAIR) {
        Map<String, String> own = new TreeMap<>(cluster.site);
        own.put("yarn.resourcemanager.ha.id", id);
        Path conf = Files.createDirectory(directory.resolve("conf-" + id));
        write(conf.resolve("yarn-site.xml"), own);
        cluster.launch(id, conf + ":" + cluster.conf(), RESOURCE_MANAGER);
      }
      cluster.launch("nodemanager", cluster.conf().toString(), NODE_MANAGER);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  /** Replaces the addresses of the ResourceManager by those of a pair that is switched by hand. */
  private void configurePair() throws IOException {
    site.remove("yarn.resourcemanager.hostname");
    for (String part : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp.")) {
      String key = "yarn.resourcemanager." + part + "address";
      site.remove(key);
      for (String id : PAIR) {
        site.put(key + "." + id, "localhost:" + ports.next("127.0.0.1"));
      }
    }
    site.put("yarn.resourcemanager.ha.enabled", "true");
    site.put("yarn.resourcemanager.ha.automatic-failover.enabled", "false");
    site.put("yarn.resourcemanager.ha.rm-ids", String.join(",", PAIR));
    site.put("yarn.resourcemanager.cluster-id", "pair");
    site.put("yarn.client.failover-sleep-base-ms", "100");
    site.put("yarn.client.failover-sleep-max-ms", "1000");
  }

  private void configure(String administrator) throws Exception {
    webOfResourceManager = ports.next("127.0.0.1");
    webOfNodeManager = ports.next("127.0.0.1");
    site.putAll(CharonConfiguration.nodeManager("observe"));
    site.put("yarn.nodemanager.aux-services", "charon");
    site.put("fs.defaultFS", "file:///");
    site.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    site.put("yarn.resourcemanager.hostname", "localhost");
    for (String part : List.of("", "scheduler.", "resource-tracker.", "admin.")) {
      site.put("yarn.resourcemanager." + part + "address", "localhost:" + ports.next("127.0.0.1"));
    }
    for (String part : List.of("", "localizer.", "collector-service.")) {
      site.put("yarn.nodemanager." + part + "address", "localhost:" + ports.next("127.0.0.1"));
    }
    String web = https ? ".webapp.https.address" : ".webapp.address";
    site.put("yarn.http.policy", https ? "HTTPS_ONLY" : "HTTP_ONLY");
    site.put("yarn.resourcemanager" + web, "localhost:" + webOfResourceManager);
    site.put("yarn.nodemanager" + web, "localhost:" + webOfNodeManager);
    site.put("yarn.nodemanager.local-dirs", directory.resolve("local").toString());
    site.put("yarn.nodemanager.log-dirs", directory.resolve("logs").toString());
    site.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
    site.put("yarn.nodemanager.resource.memory-mb", "1024");
    site.put("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    site.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
    site.put("yarn.nodemanager.charon.cgroup.enabled", "false");
    site.put("yarn.nodemanager.charon.killer.kernel.enabled", "false");
    site.put("yarn.nodemanager.charon.overrides-file", overrides().toString());
    site.put("yarn.nodemanager.charon.scheduler.share-peaks.enabled", "true");
    site.put("yarn.nodemanager.charon.scheduler.share-peaks.period-ms", "1000");
    site.put("yarn.resourcemanager.charon.stop-file", stopFile().toString());
    secure(administrator);
  }

  /** Applies the section of docs/install.md about secured clusters on one machine. */
  private void secure(String administrator) throws Exception {
    Path http = kdc.keytab("HTTP/localhost");
    site.put("hadoop.security.authentication", "kerberos");
    site.put("hadoop.security.authorization", "true");
    // The default is a minute for tickets that are valid for a day; here they may be valid for
    // seconds.
    site.put("hadoop.kerberos.min.seconds.before.relogin", "1");
    site.put("hadoop.security.instrumentation.requires.admin", "true");
    site.put("yarn.admin.acl", administrator);
    for (String daemon : List.of("resourcemanager", "nodemanager")) {
      String prefix = "yarn." + daemon + ".";
      String name = (daemon.equals("nodemanager") ? "nm" : "rm") + "/localhost";
      site.put(prefix + "principal", kdc.principal(name));
      site.put(prefix + "keytab", kdc.keytab(name).toString());
      site.put(prefix + "webapp.spnego-principal", kdc.principal("HTTP/localhost"));
      site.put(prefix + "webapp.spnego-keytab-file", http.toString());
    }
    String filter = "hadoop.http.authentication.";
    site.put(filter + "type", "kerberos");
    site.put(filter + "kerberos.principal", kdc.principal("HTTP/localhost"));
    site.put(filter + "kerberos.keytab", http.toString());
    Path secret = Files.writeString(directory.resolve("secret"), "a secret of this test");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    site.put(filter + "signature.secret.file", secret.toString());
    // Short sessions, so that daemons must authenticate repeatedly while the test runs.
    site.put(filter + "token.validity", Integer.toString(SESSION_SECONDS));
    site.putAll(propertiesOfThePage());
  }

  /** Returns the properties of a secured cluster in docs/install.md. */
  private static Map<String, String> propertiesOfThePage() throws IOException {
    String xml = DocumentedCommands.of(Path.of("../docs/install.md")).labelled("xml secured");
    Configuration page = new Configuration(false);
    page.addResource(
        new ByteArrayInputStream(
            "<configuration>%s</configuration>".formatted(xml).getBytes(StandardCharsets.UTF_8)));
    Map<String, String> properties = new TreeMap<>();
    page.forEach(property -> properties.put(property.getKey(), property.getValue()));
    assertThat(properties).containsOnlyKeys("hadoop.http.filter.initializers");
    return properties;
  }

  private void writeConfiguration() throws IOException, InterruptedException {
    Path conf = Files.createDirectories(conf());
    write(conf.resolve("core-site.xml"), site);
    write(conf.resolve("yarn-site.xml"), site);
    // MapReduce's default port would be taken if another cluster ran on this machine.
    write(conf.resolve("mapred-site.xml"), Map.of("mapreduce.shuffle.port", "0"));
    write(
        conf.resolve("capacity-scheduler.xml"),
        Map.of(
            "yarn.scheduler.capacity.root.queues",
            "default",
            "yarn.scheduler.capacity.root.default.capacity",
            "100"));
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d %p %c: %m%n
        """);
    if (https) {
      Path store = directory.resolve("store.p12");
      makeKey(store);
      for (String side : List.of("server", "client")) {
        Map<String, String> ssl = new TreeMap<>();
        for (String part : List.of("keystore", "truststore")) {
          ssl.put("ssl.%s.%s.location".formatted(side, part), store.toString());
          ssl.put("ssl.%s.%s.password".formatted(side, part), PASSWORD);
          ssl.put("ssl.%s.%s.type".formatted(side, part), "pkcs12");
        }
        ssl.put("ssl." + side + ".keystore.keypassword", PASSWORD);
        write(conf.resolve("ssl-" + side + ".xml"), ssl);
      }
    }
  }

  private static void makeKey(Path store) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of(
            "-genkeypair -alias web -keyalg RSA -validity 2 -dname CN=localhost -ext san=dns:localhost"
                .split(" ")));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    TimedProgram.Result keytool =
        TimedProgram.run(new ProcessBuilder(command), Duration.ofMinutes(1));
    if (keytool.exitCode() != 0) {
      throw new IOException("keytool: " + keytool.said());
    }
  }

  private static void write(Path file, Map<String, String> properties) throws IOException {
    Configuration configuration = new Configuration(false);
    properties.forEach(configuration::set);
    try (var out = Files.newOutputStream(file)) {
      configuration.writeXml(out);
    }
  }

  private void launch(String name, String configuration, String mainClass) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(java(configuration, mainClass));
    builder.redirectErrorStream(true).redirectOutput(log(name).toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HADOOP_CONF_DIR", conf().toString());
    processes.put(name, builder.start());
  }

  private List<String> java(String configuration, String mainClass) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-Xmx384m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        kdc.jvmOption(),
        "-cp",
        configuration + ":" + installation.lib() + "/*",
        mainClass);
  }

  /** The output of a command and its exit code. */
  record CommandResult(int code, String out, String err) {}

  /**
   * Runs a command of Charon as a user with a ticket, in a process of its own.
   *
   * @param ticketCache ticket cache of the user; need not exist
   */
  CommandResult charon(Path ticketCache, String... arguments)
      throws IOException, InterruptedException {
    // Like bin/charon, which has no Hadoop configuration on the class path.
    List<String> command =
        new ArrayList<>(java(installation.lib().toString(), "io.charon.cli.Charon"));
    command.add(command.size() - 3, "-Dlog4j.configuration=charon-cli-log4j.properties");
    command.addAll(List.of(arguments));
    return run(ticketCache, command);
  }

  /**
   * Tries to make a ResourceManager of the pair the active one, like {@code yarn rmadmin}, also
   * where the other one does not answer.
   *
   * @param ticketCache ticket cache of the administrator
   */
  CommandResult activate(Path ticketCache, String id) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(java(conf().toString(), ADMINISTRATION));
    command.addAll(List.of("-transitionToActive", "--forceactive", id));
    return run(ticketCache, command);
  }

  /**
   * Runs a program of Hadoop as a user with a ticket.
   *
   * @param prefix command that changes the user of the process
   */
  CommandResult hadoop(Path ticketCache, List<String> prefix, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java(conf().toString(), mainClass));
    command.addAll(List.of(arguments));
    return run(ticketCache, command);
  }

  private CommandResult run(Path ticketCache, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("KRB5CCNAME", ticketCache.toString());
    builder.environment().putIfAbsent("HADOOP_CONF_DIR", conf().toString());
    Path out = Files.createTempFile(directory, "said", ".out");
    Path err = Files.createTempFile(directory, "said", ".err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not within %d s: %s".formatted(COMMAND_SECONDS, command));
      }
    } finally {
      TimedProgram.end(process);
    }
    return new CommandResult(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  Path conf() {
    return directory.resolve("conf");
  }

  Path overrides() {
    return directory.resolve("overrides.properties");
  }

  private Path stopFile() {
    return directory.resolve("cluster-stop.properties");
  }

  Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** Ends a daemon, as if its machine had failed. */
  void kill(String name) throws InterruptedException {
    if (!processes.remove(name).destroyForcibly().waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError(name + " did not end within 30 s after SIGKILL");
    }
  }

  /** Fails if a daemon has ended. */
  void requireAlive() throws IOException {
    for (Process process : processes.values()) {
      if (!process.isAlive()) {
        throw new IOException("a daemon has ended\n" + logs());
      }
    }
  }

  /** Returns the logs of all daemons, for the message of a failed test. */
  String logs() throws IOException {
    StringBuilder logs = new StringBuilder();
    for (String name : processes.keySet()) {
      logs.append(Files.readString(log(name))).append('\n');
    }
    return logs.toString();
  }

  /** Returns host and port of the NodeManager's web server. */
  String node() {
    return "localhost:" + webOfNodeManager;
  }

  /** Returns host and port of the ResourceManager's web server. */
  String resourceManager() {
    return "localhost:" + webOfResourceManager;
  }

  /** Returns host and port of the web server of a ResourceManager of the pair. */
  String resourceManager(String id) {
    return site.get("yarn.resourcemanager.webapp.address." + id);
  }

  @Override
  public void close() {
    EndedProcesses.end(List.copyOf(processes.values()));
  }
}
