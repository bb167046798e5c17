/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import io.charon.evaluation.cluster.FreePorts;
import io.charon.evaluation.cluster.Installation;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Hadoop without Charon whose jars have the layout of a distribution, with its configuration and
 * a {@code yarn} command that starts and stops its daemons.
 */
final class LaidOutHadoop {
  private static final List<String> NOT_HADOOPS =
      List.of(
          "charon-",
          "kernel-ua-killer-",
          "sls-extensions-",
          "picocli-",
          "snakeyaml-",
          "xchart-",
          "VectorGraphics2D-",
          "jmh-",
          "jopt-simple-");

  /**
   * Replaces Hadoop's own {@code yarn} for daemons, because the published jars come without
   * scripts.
   */
  private static final String YARN =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      [[ $1 == --daemon ]] || exit 2
      run="%1$s"
      case $3 in
        nodemanager) class=org.apache.hadoop.yarn.server.nodemanager.NodeManager ;;
        resourcemanager) class=org.apache.hadoop.yarn.server.resourcemanager.ResourceManager ;;
      esac
      pid_file="$run/$3.pid"
      if [[ $2 == stop ]]; then
        [[ -f $pid_file ]] || { echo "no $3 to stop"; exit 0; }
        pid="$(cat "$pid_file")"
        kill "$pid"
        for ((i = 0; i < 300; i++)); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -9 "$pid" 2>/dev/null || true
        rm "$pid_file"
        exit 0
      fi
      path="$HADOOP_CONF_DIR"
      for part in common hdfs yarn mapreduce; do
        path+=":$HADOOP_HOME/share/hadoop/$part/*:$HADOOP_HOME/share/hadoop/$part/lib/*"
      done
      : >"$run/$3.log"
      nohup "$JAVA_HOME/bin/java" --add-opens=java.base/java.lang=ALL-UNNAMED -Xmx320m -XX:+UseSerialGC \\
        -XX:TieredStopAtLevel=1 %2$s -cp "$path" $class >"$run/$3.log" 2>&1 </dev/null &
      echo $! >"$pid_file"
      """;

  private final Path work;
  private final Path home;
  private final Path configuration;
  private final int webPort;

  private LaidOutHadoop(Path work, int webPort) {
    this.work = work;
    this.home = work.resolve("hadoop");
    this.configuration = home.resolve("etc/hadoop");
    this.webPort = webPort;
  }

  /**
   * Lays out a Hadoop.
   *
   * @param work empty directory for it, its logs and its containers
   * @param jars installation with Hadoop's jars
   * @param properties properties of {@code yarn-site.xml} in addition to addresses and directories
   */
  static LaidOutHadoop in(Path work, Installation jars, Map<String, String> properties)
      throws IOException {
    FreePorts ports = new FreePorts();
    LaidOutHadoop hadoop = new LaidOutHadoop(work, ports.next("127.0.0.1"));
    hadoop.linkJars(jars.lib());
    hadoop.configure(ports, properties);
    hadoop.writeYarn();
    return hadoop;
  }

  Path home() {
    return home;
  }

  Path configuration() {
    return configuration;
  }

  /** Returns the address of the NodeManager's web server. */
  String web() {
    return "127.0.0.1:" + webPort;
  }

  /**
   * Returns the option of every JVM, which restricts name resolution to the names of this machine.
   */
  String jvmOptions() {
    return "-Djdk.net.hosts.file=" + work.resolve("hosts");
  }

  /** Returns the class path of a job, separated by commas. */
  String jobClassPath() {
    return Stream.of("common", "hdfs", "yarn", "mapreduce")
        .map(part -> home.resolve("share/hadoop/" + part))
        .flatMap(part -> Stream.of(part + "/*", part + "/lib/*"))
        .reduce((one, other) -> one + "," + other)
        .orElseThrow();
  }

  /** Returns the log of a daemon since its last start. */
  String log(String daemon) throws IOException {
    return Files.readString(work.resolve("run/" + daemon + ".log"));
  }

  /** Writes {@code yarn-site.xml} with lines of text before its properties. */
  void include(String lines) throws IOException {
    String properties = Files.readString(work.resolve("properties.xml"));
    Files.writeString(
        configuration.resolve("yarn-site.xml"),
        "<configuration>\n" + lines + properties + "</configuration>\n");
  }

  /** Returns every path of the Hadoop with its kind, or its content if it is a file. */
  Map<String, String> listing() throws IOException {
    Map<String, String> listing = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(home)) {
      for (Path path : tree.toList()) {
        String what =
            Files.isSymbolicLink(path)
                ? "link to " + Files.readSymbolicLink(path)
                : Files.isDirectory(path) ? "directory" : Files.readString(path);
        listing.put(home.relativize(path).toString(), what);
      }
    }
    return listing;
  }

  private void linkJars(Path lib) throws IOException {
    try (Stream<Path> jars = Files.list(lib)) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString();
        if (NOT_HADOOPS.stream().noneMatch(name::startsWith)) {
          Path link = home.resolve("share/hadoop").resolve(place(name)).resolve(name);
          Files.createDirectories(link.getParent());
          Files.createSymbolicLink(link, jar);
        }
      }
    }
    Files.createDirectories(home.resolve("share/hadoop/yarn/lib"));
  }

  private static String place(String jar) {
    if (jar.startsWith("hadoop-yarn-")) {
      return "yarn";
    }
    if (jar.startsWith("hadoop-mapreduce-")) {
      return "mapreduce";
    }
    return jar.startsWith("hadoop-common-") ? "common" : "common/lib";
  }

  private void configure(FreePorts ports, Map<String, String> properties) throws IOException {
    Files.createDirectories(configuration);
    Map<String, String> site = new LinkedHashMap<>();
    site.put("fs.defaultFS", "file:///");
    site.put("hadoop.tmp.dir", work.resolve("tmp").toString());
    site.put("yarn.resourcemanager.hostname", "127.0.0.1");
    for (String address : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp.")) {
      site.put("yarn.resourcemanager." + address + "address", address(ports));
    }
    site.put("yarn.nodemanager.hostname", "localhost");
    site.put("yarn.nodemanager.webapp.address", web());
    for (String address : List.of("", "localizer.", "collector-service.")) {
      site.put("yarn.nodemanager." + address + "address", address(ports));
    }
    site.put("yarn.nodemanager.local-dirs", work.resolve("containers/local").toString());
    site.put("yarn.nodemanager.log-dirs", work.resolve("containers/logs").toString());
    site.put("yarn.nodemanager.recovery.dir", work.resolve("recovery").toString());
    site.putAll(properties);
    StringBuilder xml = new StringBuilder();
    site.forEach((name, value) -> xml.append(property(name, value)));
    Files.writeString(work.resolve("properties.xml"), xml);
    include("");
    Files.writeString(configuration.resolve("core-site.xml"), "<configuration/>\n");
    String shuffle = Integer.toString(ports.next("127.0.0.1"));
    Files.writeString(
        configuration.resolve("mapred-site.xml"),
        "<configuration>" + property("mapreduce.shuffle.port", shuffle) + "</configuration>\n");
    String queue = "yarn.scheduler.capacity.root.";
    Files.writeString(
        configuration.resolve("capacity-scheduler.xml"),
        "<configuration>"
            + property(queue + "queues", "default")
            + property(queue + "default.capacity", "100")
            + property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
            + "</configuration>\n");
    Files.writeString(
        configuration.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
        """);
    Files.write(
        work.resolve("hosts"),
        List.of("127.0.0.1 localhost", "127.0.0.1 " + InetAddress.getLocalHost().getHostName()));
  }

  private void writeYarn() throws IOException {
    Path run = Files.createDirectories(work.resolve("run"));
    Path yarn = Files.createDirectories(home.resolve("bin")).resolve("yarn");
    Files.writeString(yarn, YARN.formatted(run, jvmOptions()));
    if (!yarn.toFile().setExecutable(true)) {
      throw new IOException(yarn + " cannot be made executable");
    }
  }

  private static String address(FreePorts ports) throws IOException {
    return "127.0.0.1:" + ports.next("127.0.0.1");
  }

  private static String property(String name, String value) {
    return "<property><name>%s</name><value>%s</value></property>%n".formatted(name, value);
  }
}
