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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * A ResourceManager and a NodeManager with Kerberos, each in a process of its own that runs as the
 * user of the test. They run no containers.
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

  private final Installation installation = Installation.locate();
  private final TestKdc kdc;
  private final Path directory;
  private final boolean https;
  private final Map<String, String> site = new TreeMap<>();
  private final List<Process> processes = new ArrayList<>();
  private int webOfResourceManager;
  private int webOfNodeManager;

  private SecuredCluster(TestKdc kdc, Path directory, boolean https) {
    this.kdc = kdc;
    this.directory = directory;
    this.https = https;
  }

  /**
   * Starts both daemons.
   *
   * @param directory empty directory to which no other user may write
   * @param https whether the web servers use only HTTPS
   * @param administrator user that may see status and pages, in addition to the daemons
   */
  static SecuredCluster start(TestKdc kdc, Path directory, boolean https, String administrator)
      throws Exception {
    SecuredCluster cluster = new SecuredCluster(kdc, directory, https);
    cluster.configure(administrator);
    boolean started = false;
    try {
      cluster.launch("resourcemanager", RESOURCE_MANAGER);
      cluster.launch("nodemanager", NODE_MANAGER);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private void configure(String administrator) throws Exception {
    FreePorts ports = new FreePorts();
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
    writeConfiguration();
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
    site.put(
        filter + "signature.secret.file",
        Files.writeString(directory.resolve("secret"), "a secret of this test").toString());
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
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }

  private static void write(Path file, Map<String, String> properties) throws IOException {
    Configuration configuration = new Configuration(false);
    properties.forEach(configuration::set);
    try (var out = Files.newOutputStream(file)) {
      configuration.writeXml(out);
    }
  }

  private void launch(String name, String mainClass) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(java(conf(), mainClass));
    builder.redirectErrorStream(true).redirectOutput(log(name).toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    processes.add(builder.start());
  }

  private List<String> java(Path configuration, String mainClass) {
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
    List<String> command = new ArrayList<>(java(installation.lib(), "io.charon.cli.Charon"));
    command.add(command.size() - 3, "-Dlog4j.configuration=charon-cli-log4j.properties");
    command.addAll(List.of(arguments));
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

  /** Fails if a daemon has ended. */
  void requireAlive() throws IOException {
    for (Process process : processes) {
      if (!process.isAlive()) {
        throw new IOException("a daemon has ended\n" + logs());
      }
    }
  }

  /** Returns the logs of both daemons, for the message of a failed test. */
  String logs() throws IOException {
    return Files.readString(log("resourcemanager")) + "\n" + Files.readString(log("nodemanager"));
  }

  /** Returns host and port of the NodeManager's web server. */
  String node() {
    return "localhost:" + webOfNodeManager;
  }

  /** Returns host and port of the ResourceManager's web server. */
  String resourceManager() {
    return "localhost:" + webOfResourceManager;
  }

  @Override
  public void close() {
    EndedProcesses.end(processes);
  }
}
