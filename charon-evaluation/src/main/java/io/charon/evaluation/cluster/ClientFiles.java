/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes a configuration directory, as {@code HADOOP_CONF_DIR} names it, for clients of a cluster
 * on this machine.
 */
final class ClientFiles {
  static final String CORE_SITE = "core-site.xml";
  static final String YARN_SITE = "yarn-site.xml";

  private ClientFiles() {}

  /**
   * Writes the directory.
   *
   * @param site properties that clients need
   * @param job default properties of MapReduce jobs
   * @param jvmOptions options that a client's JVM needs to resolve the host names of
   *     ApplicationMasters
   */
  static void write(Path directory, Map<String, String> site, Configuration job, String jvmOptions)
      throws IOException {
    Files.createDirectories(directory);
    // Clients that use only the file system do not read yarn-site.xml.
    Map<String, String> core = new LinkedHashMap<>(site);
    core.keySet().removeIf(name -> name.startsWith("yarn."));
    Map<String, String> yarn = new LinkedHashMap<>(site);
    yarn.keySet().removeAll(core.keySet());
    Map<String, String> mapReduce = new LinkedHashMap<>();
    job.forEach(property -> mapReduce.put(property.getKey(), property.getValue()));
    ClusterFiles.writeXml(directory.resolve(CORE_SITE), core);
    ClusterFiles.writeXml(directory.resolve(YARN_SITE), yarn);
    ClusterFiles.writeXml(directory.resolve("mapred-site.xml"), mapReduce);
    Files.writeString(directory.resolve("log4j.properties"), ClusterFiles.LOG4J);
    Files.writeString(
        directory.resolve("hadoop-env.sh"),
        "export HADOOP_CLIENT_OPTS=\"%s ${HADOOP_CLIENT_OPTS:-}\"%n".formatted(jvmOptions));
  }
}
