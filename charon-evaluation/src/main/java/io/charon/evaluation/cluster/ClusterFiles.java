/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The work directory of a cluster, with configuration, logs and local directories of every daemon.
 */
final class ClusterFiles {
  static final String LOG4J =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
      """;

  private final Path root;

  ClusterFiles(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  Path hosts() {
    return root.resolve("hosts");
  }

  /** Returns the directory of the daemons' temporary files. */
  Path temporary() {
    return root.resolve("tmp");
  }

  Path log(String daemon) {
    return root.resolve(daemon + ".log");
  }

  Path configuration(String daemon) {
    return root.resolve(daemon).resolve("conf");
  }

  /**
   * Returns the directory of properties that only the daemons read, because containers and clients
   * may lack the classes that these name. On the class path of a daemon it comes before the
   * daemon's configuration.
   */
  Path daemonsConfiguration() {
    return root.resolve("daemons");
  }

  /** Writes the properties that only the daemons read. */
  void writeDaemonsConfiguration(Map<String, String> properties) throws IOException {
    writeXml(Files.createDirectories(daemonsConfiguration()).resolve("core-site.xml"), properties);
  }

  /** Writes the hosts file that every JVM of the cluster uses ({@code -Djdk.net.hosts.file}). */
  void writeHosts(List<String> lines) throws IOException {
    Files.write(hosts(), lines);
  }

  /**
   * Returns the configuration directory of a NodeManager's containers if it differs from the
   * NodeManager's.
   */
  Path containerConfiguration(String daemon) {
    return root.resolve(daemon).resolve("container-conf");
  }

  /**
   * Writes the configuration that a NodeManager's containers see.
   *
   * @param site properties of {@code yarn-site.xml}
   * @param fixed properties that a job's own configuration must not override
   */
  void writeContainerConfiguration(
      String daemon, Map<String, String> site, Map<String, String> fixed) throws IOException {
    Path directory = Files.createDirectories(containerConfiguration(daemon));
    writeXml(directory.resolve("core-site.xml"), Map.of());
    Map<String, String> all = new LinkedHashMap<>(site);
    all.putAll(fixed);
    StringBuilder xml = new StringBuilder("<configuration>\n");
    all.forEach((name, value) -> property(name, value, fixed.containsKey(name), xml));
    Files.writeString(
        directory.resolve("yarn-site.xml"), xml.append("</configuration>\n").toString());
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
  }

  private static void property(String name, String value, boolean fixed, StringBuilder xml) {
    xml.append("<property><name>")
        .append(name)
        .append("</name><value>")
        .append(value.replace("&", "&amp;").replace("<", "&lt;"))
        .append("</value><final>")
        .append(fixed)
        .append("</final></property>\n");
  }

  /**
   * Writes the configuration directory of one daemon.
   *
   * @param sites properties of each file, by file name
   */
  void writeConfiguration(String daemon, Map<String, Map<String, String>> sites)
      throws IOException {
    Path directory = Files.createDirectories(configuration(daemon));
    writeXml(directory.resolve("core-site.xml"), Map.of());
    for (Map.Entry<String, Map<String, String>> site : sites.entrySet()) {
      writeXml(directory.resolve(site.getKey()), site.getValue());
    }
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
  }

  static void writeXml(Path file, Map<String, String> properties) throws IOException {
    Configuration configuration = new Configuration(false);
    properties.forEach(configuration::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      configuration.writeXml(out);
    }
  }

  /**
   * Removes the work directory; retries for about 2 s, because processes that are exiting may still
   * write.
   */
  void delete() {
    for (int attempt = 0;
        attempt < 20 && Files.exists(root, LinkOption.NOFOLLOW_LINKS);
        attempt++) {
      try {
        TemporaryDirectory.delete(root);
      } catch (IOException stillWrittenTo) {
        Sleeps.sleep(100);
      }
    }
  }
}
