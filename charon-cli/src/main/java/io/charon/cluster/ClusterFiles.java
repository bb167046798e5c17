/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The work directory of a cluster: configuration, logs and local directories of every daemon. */
final class ClusterFiles {
  private static final String LOG4J =
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

  Path log(String daemon) {
    return root.resolve(daemon + ".log");
  }

  Path configuration(String daemon) {
    return root.resolve(daemon).resolve("conf");
  }

  /**
   * Writes the host names that every JVM of the cluster resolves ({@code -Djdk.net.hosts.file}).
   */
  void writeHosts(List<String> lines) throws IOException {
    Files.write(hosts(), lines);
  }

  /**
   * Writes the configuration directory of one daemon.
   *
   * @param sites properties of each file, by its name
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

  private static void writeXml(Path file, Map<String, String> properties) throws IOException {
    Configuration configuration = new Configuration(false);
    properties.forEach(configuration::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      configuration.writeXml(out);
    }
  }

  /** Removes the work directory; what a dying process still writes is removed in a second pass. */
  void delete() {
    for (int attempt = 0;
        attempt < 20 && Files.exists(root, LinkOption.NOFOLLOW_LINKS);
        attempt++) {
      try (Stream<Path> tree = Files.walk(root)) {
        for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      } catch (IOException | UncheckedIOException stillWrittenTo) {
        Pauses.sleep(100);
      }
    }
  }
}
