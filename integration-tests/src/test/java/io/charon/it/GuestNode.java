/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A cluster whose NodeManager has its own machine, a {@link GuestMachine} with cgroup v2 and
 * systemd, on which docs/install.md is followed literally. The ResourceManager and applications run
 * here.
 */
final class GuestNode implements AutoCloseable {
  /** Name of the systemd unit in docs/install.md. */
  static final String UNIT = "hadoop-yarn-nodemanager";

  /** File of the drop-in in docs/install.md. */
  private static final String DROP_IN = "/etc/systemd/system/" + UNIT + ".service.d/charon.conf";

  /** The command that docs/install.md demands of the unit, which runs as user {@code yarn}. */
  private static final String START = "ExecStart=/opt/hadoop/bin/yarn nodemanager";

  /** Time limit in the guest, which is emulated and about thirty times slower than this machine. */
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private static final long POLL_MILLIS = 500;
  private static final Duration PACKAGE = Duration.ofMinutes(6);
  private static final String HOME = "/var/lib/yarn";

  /**
   * System property with the directory of an archive of {@code bin/charon package}; if unset, the
   * archive is created.
   */
  private static final String RELEASE = "charon.it.release";

  private final long started = System.nanoTime();
  private final Installation jars = Installation.locate();
  private final Path root = jars.lib().resolve("../../../..").normalize();
  private final DocumentedCommands page;
  private final StatusClient client = new StatusClient();
  private final Path work;
  private final LaidOutHadoop hadoop;
  private final NodeAddress web;
  private GuestMachine guest;

  private GuestNode(Path work) throws IOException {
    this.work = work;
    Path install = root.resolve("docs/install.md");
    assertThat(Files.readString(install)).contains("`" + DROP_IN + "`", "`" + START + "`");
    page = DocumentedCommands.of(install);
    hadoop = LaidOutHadoop.in(work, jars, properties());
    hadoop.include(page.labelled("xml") + page.labelled("xml tags"));
    web = NodeAddress.parse(hadoop.web());
  }

  /** Boots the guest and starts the ResourceManager, or skips the test and prints the reason. */
  static GuestNode boot() throws Exception {
    GuestNode node = new GuestNode(Files.createTempDirectory("charon-guest-"));
    boolean booted = false;
    try {
      Path files = Files.createDirectories(node.work.resolve("files"));
      node.layOut(files);
      node.configure(files);
      node.guest =
          GuestMachine.boot(
              node.root, Files.createDirectories(node.work.resolve("guest")), files, node.ports());
      node.say("the guest has booted: " + node.run("uname -r; systemctl --version | head -1"));
      node.startResourceManager();
      booted = true;
      return node;
    } finally {
      if (!booted) {
        node.close();
      }
    }
  }

  private static Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    properties.put("yarn.nodemanager.bind-host", "0.0.0.0");
    properties.put("yarn.nodemanager.recovery.enabled", "true");
    properties.put("yarn.nodemanager.recovery.supervised", "true");
    properties.put("yarn.nodemanager.resource.memory-mb", "1024");
    properties.put("yarn.nodemanager.resource.cpu-vcores", "8");
    properties.put("yarn.nodemanager.vmem-check-enabled", "false");
    properties.put("yarn.nodemanager.pmem-check-enabled", "false");
    properties.put("yarn.nodemanager.aux-services", "charon");
    properties.put("yarn.nodemanager.recovery.dir", HOME + "/recovery");
    properties.put("yarn.nodemanager.local-dirs", HOME + "/local");
    properties.put("yarn.nodemanager.log-dirs", HOME + "/logs");
    properties.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
    properties.put("yarn.scheduler.minimum-allocation-mb", "16");
    properties.put("yarn.nm.liveness-monitor.expiry-interval-ms", "600000");
    properties.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
    properties.put("yarn.resourcemanager.charon.best-effort.queues", HoldJob.QUEUE);
    return properties;
  }

  /** Lays out the files that an operator finds on a new node, and the release. */
  private void layOut(Path files) throws IOException, InterruptedException {
    Path home = Files.createDirectories(files.resolve("opt/hadoop"));
    Files.createSymbolicLink(home.resolve("share"), hadoop.home().resolve("share"));
    Path jdk = Files.createDirectories(files.resolve("opt/jdk"));
    for (String part : List.of("bin", "conf", "lib")) {
      Files.createSymbolicLink(
          jdk.resolve(part), Path.of(System.getProperty("java.home")).resolve(part));
    }
    Path programs = Files.createDirectories(files.resolve("usr/local/bin"));
    Files.createSymbolicLink(programs.resolve("workload"), NativeTools.of(root).workload());
    Files.createSymbolicLink(programs.resolve("container-executor"), ContainerProgram.path());
    Path target = Files.createDirectories(files.resolve("root/target"));
    try (Stream<Path> archives = Files.list(release())) {
      for (Path archive : archives.filter(file -> file.toString().endsWith(".gz")).toList()) {
        Files.createSymbolicLink(target.resolve(archive.getFileName()), archive);
      }
    }
  }

  private Path release() throws IOException, InterruptedException {
    String given = System.getProperty(RELEASE);
    if (given != null) {
      return Path.of(given);
    }
    Path made = work.resolve("out");
    ProcessBuilder program =
        new ProcessBuilder("bin/charon", "package", "--out", made.toString())
            .directory(root.toFile());
    program.environment().put("CHARON_HADOOP", line());
    TimedProgram.Result result = TimedProgram.run(program, PACKAGE);
    assertThat(result.exitCode()).as(result.said()).isZero();
    return made;
  }

  private String line() {
    return jars.hadoopVersion().replaceFirst("(\\d+\\.\\d+).*", "$1");
  }

  /** Writes the files that exist before the first command, and the page's additions to them. */
  private void configure(Path files) throws IOException {
    Path conf = Files.createDirectories(files.resolve("etc/hadoop"));
    Files.copy(
        hadoop.configuration().resolve("log4j.properties"), conf.resolve("log4j.properties"));
    Files.writeString(conf.resolve("core-site.xml"), "<configuration/>\n");
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        Files.readString(hadoop.configuration().resolve("yarn-site.xml"))
            .replaceAll("(yarn\\.resourcemanager[^<]*</name><value>)127\\.0\\.0\\.1", "$110.0.2.2")
            .replace(work.toString(), HOME));
    Path yarn = Files.createDirectories(files.resolve("opt/hadoop/bin")).resolve("yarn");
    Files.writeString(
        yarn,
        """
        #!/bin/bash
        path=$HADOOP_CONF_DIR
        for part in common yarn mapreduce; do
          path+=":$HADOOP_HOME/share/hadoop/$part/*:$HADOOP_HOME/share/hadoop/$part/lib/*"
        done
        exec "$JAVA_HOME/bin/java" --add-opens=java.base/java.lang=ALL-UNNAMED -Xmx256m -XX:+UseSerialGC \\
          -XX:TieredStopAtLevel=1 -cp "$path" org.apache.hadoop.yarn.server.nodemanager.NodeManager
        """);
    Files.setPosixFilePermissions(yarn, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path units = Files.createDirectories(files.resolve("etc/systemd/system"));
    Files.writeString(
        units.resolve(UNIT + ".service"),
        """
        [Service]
        User=yarn
        Environment=HADOOP_HOME=/opt/hadoop HADOOP_CONF_DIR=/etc/hadoop JAVA_HOME=/opt/jdk
        %s
        """
            .formatted(START));
  }

  /** Returns the NodeManager's port for applications and the port of its web server. */
  private List<Integer> ports() {
    return Stream.of("yarn.nodemanager.address", "yarn.nodemanager.webapp.address")
        .map(key -> Integer.valueOf(configuration().get(key).replaceFirst(".*:", "")))
        .toList();
  }

  /** Returns the configuration by which applications reach the ResourceManager. */
  Configuration configuration() {
    Configuration site = new YarnConfiguration();
    site.addResource(
        new org.apache.hadoop.fs.Path(hadoop.configuration().resolve("yarn-site.xml").toUri()));
    site.set("yarn.rpc.nm-command-timeout", Long.toString(TIMEOUT.toMillis()));
    return site;
  }

  private void startResourceManager() throws Exception {
    String queues = "yarn.scheduler.capacity.root.";
    Configuration scheduler = new Configuration(false);
    scheduler.set(queues + "queues", TestNode.PRODUCTION_QUEUE + "," + HoldJob.QUEUE);
    scheduler.set(queues + TestNode.PRODUCTION_QUEUE + ".capacity", "90");
    scheduler.set(queues + HoldJob.QUEUE + ".capacity", "10");
    scheduler.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    Path file = hadoop.configuration().resolve("capacity-scheduler.xml");
    try (var out = Files.newOutputStream(file)) {
      scheduler.writeXml(out);
    }
    Path release = Files.createDirectories(work.resolve("release"));
    runHere(
        "tar -xzf %s/files/root/target/charon-*.tar.gz -C %s --strip-components=1"
            .formatted(work, release));
    runHere(release + "/sbin/install.sh --role resourcemanager");
    runHere("yarn --daemon start resourcemanager");
  }

  private void stopResourceManager() throws IOException {
    try {
      runHere("yarn --daemon stop resourcemanager");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs commands on this machine, which must succeed. */
  private void runHere(String commands) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands);
    Map<String, String> environment = builder.environment();
    environment.put("HADOOP_HOME", hadoop.home().toString());
    environment.put("HADOOP_CONF_DIR", hadoop.configuration().toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.merge("PATH", hadoop.home() + "/bin", (old, added) -> added + ":" + old);
    TimedProgram.Result result = TimedProgram.run(builder, Duration.ofMinutes(2));
    assertThat(result.exitCode()).as(result.said()).isZero();
  }

  /** Follows a part of the page in the guest as root and returns the output. */
  String follow(String label) throws IOException {
    say("docs/install.md, " + label);
    String said =
        run(
            "cd /root\nset -x\n"
                + page.labelled(label)
                    .replace("hadoop-3.4", "hadoop-" + line())
                    .replace("localhost:8042", "localhost:" + web.port()));
    System.out.println(said.indent(4).stripTrailing());
    return said;
  }

  /** Adds the page's drop-in to the NodeManager's unit, as the page says. */
  void addDropIn() throws IOException {
    say("docs/install.md, drop-in");
    run(
        """
        mkdir -p $(dirname %1$s)
        cat >%1$s <<'END'
        %2$s
        END
        """
            .formatted(DROP_IN, page.labelled("ini delegated")));
  }

  /**
   * Restarts the NodeManager with LinuxContainerExecutor, as the page says, without the directories
   * that the default executor has made as another user. With the stand-in for {@code
   * container-executor}, which is not setuid, the NodeManager then runs as root.
   */
  void useLinuxExecutor() throws IOException {
    say("docs/install.md, LinuxContainerExecutor");
    run(
        ContainerProgram.isStandIn()
            ? """
              printf '[Service]\\nUser=root\\n' >%s
              """
                .formatted(DROP_IN.replace("charon.conf", "root.conf"))
            : """
              install -o root -g yarn -m 6050 /usr/local/bin/container-executor /opt/hadoop/bin/
              mkdir -p /opt/hadoop/etc/hadoop
              printf 'yarn.nodemanager.linux-container-executor.group=yarn\\nbanned.users=bin\\n' \\
                >/opt/hadoop/etc/hadoop/container-executor.cfg
              """);
    String path = ContainerProgram.isStandIn() ? "/usr/local" : "/opt/hadoop";
    run(
        """
        sed -i 's:</configuration>::' /etc/hadoop/yarn-site.xml
        cat >>/etc/hadoop/yarn-site.xml <<'END'
        %s
        <property>
          <name>yarn.nodemanager.linux-container-executor.path</name>
          <value>%s/bin/container-executor</value>
        </property>
        <property><name>yarn.nodemanager.linux-container-executor.group</name><value>yarn</value></property>
        </configuration>
        END
        systemctl daemon-reload && systemctl stop %3$s
        rm -rf %4$s/local/usercache
        systemctl start %3$s
        """
            .formatted(page.labelled("xml linux"), path, UNIT, HOME));
  }

  /** Runs commands in the guest as root, which must succeed; returns their output. */
  String run(String commands) throws IOException {
    return guest
        .run(
            """
            export HADOOP_HOME=/opt/hadoop HADOOP_CONF_DIR=/etc/hadoop JAVA_HOME=/opt/jdk
            export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/root
            """
                + commands)
        .strip();
  }

  /**
   * Creates the home of the user {@code yarn} and sparse files, whose holes fill the page cache,
   * too.
   */
  void prepare(Map<String, Integer> mebibytesOfFiles) throws IOException {
    run("mkdir -p %s; chown yarn:yarn %1$s".formatted(HOME));
    for (Map.Entry<String, Integer> file : mebibytesOfFiles.entrySet()) {
      run("truncate -s %dM %s".formatted(file.getValue(), file.getKey()));
    }
  }

  /** Returns the status of the node; missing while the node does not answer. */
  JsonNode status() throws InterruptedException {
    try {
      return client.read(web);
    } catch (StatusException notYet) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Returns the status of the node. Waits until it answers, because the lists of a node that does
   * not answer would look empty.
   */
  JsonNode answer() throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    JsonNode status = status();
    while (status.isMissingNode()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + TIMEOUT.toSeconds() + " s: the node answers");
      }
      Thread.sleep(POLL_MILLIS);
      status = status();
    }
    return status;
  }

  /** Waits for a condition in the guest and prints how long that took. */
  void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "not within %d s: %s; status %s%n%s"
                .formatted(TIMEOUT.toSeconds(), what, status(), journal()));
      }
      Thread.sleep(POLL_MILLIS);
    }
    say(what);
  }

  private String journal() throws IOException {
    return guest
        .attempt(
            "journalctl --no-pager -n 200 -o cat; systemctl status --no-pager '*charon*' '*hadoop*'")
        .said();
  }

  /** Prints a line with the seconds since the guest was requested. */
  void say(String what) {
    System.out.printf("guest, %3d s: %s%n", (System.nanoTime() - started) / 1_000_000_000L, what);
  }

  /** Ends the guest and the ResourceManager and removes their files. */
  @Override
  public void close() throws IOException {
    try {
      if (guest != null) {
        guest.close();
      }
    } finally {
      try {
        stopResourceManager();
      } finally {
        TemporaryDirectory.delete(work);
      }
    }
  }
}
