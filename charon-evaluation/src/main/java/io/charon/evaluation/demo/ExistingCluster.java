/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** A cluster that was not started by this process, as its clients see it. */
public final class ExistingCluster {
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

  private static final String STAGING = "yarn.app.mapreduce.am.staging-dir";

  private final Configuration client;
  private final List<NodeAddress> nodes;
  private final ClusterAccess access;

  private ExistingCluster(Configuration client, List<NodeAddress> nodes, ClusterAccess access) {
    this.client = client;
    this.nodes = List.copyOf(nodes);
    this.access = access;
  }

  /**
   * Reads the configuration of a client.
   *
   * @param directory Hadoop's configuration directory
   * @param nodes web addresses of the NodeManagers; empty to ask the ResourceManager
   * @throws IllegalArgumentException if there is no yarn-site.xml, or the staging directory
   *     contains an unset variable; the message says what to do
   */
  public static ExistingCluster of(Path directory, List<NodeAddress> nodes) {
    if (!Files.isReadable(directory.resolve("yarn-site.xml"))) {
      throw new IllegalArgumentException(
          "--cluster "
              + directory
              + ": contains no yarn-site.xml; name a client's HADOOP_CONF_DIR");
    }
    Configuration client = new YarnConfiguration();
    for (String name : FILES) {
      Path file = directory.resolve(name);
      if (Files.isReadable(file)) {
        client.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    String staging = client.get(STAGING, "/tmp/hadoop-yarn/staging");
    if (staging.contains("${")) {
      throw new IllegalArgumentException(
          "--cluster %s: %s is %s, but that variable is not set"
              .formatted(directory, STAGING, staging));
    }
    client.set(STAGING, staging); // tasks may not have the client's environment
    client.set("mapreduce.framework.name", "yarn");
    // The configuration on the class path does not describe this cluster, nor whether it uses
    // Kerberos.
    UserGroupInformation.setConfiguration(client);
    return new ExistingCluster(client, nodes, ClusterAccess.of(Optional.of(directory)));
  }

  /** Returns a copy of the clients' configuration. */
  Configuration client() {
    return new Configuration(client);
  }

  /** Returns a client that reads the status of the nodes. */
  StatusClient statusClient() {
    return new StatusClient(access);
  }

  /**
   * Returns a new instance of the cluster's default file system, which stays open until it is
   * closed, also while the process ends by a signal.
   */
  FileSystem fileSystem() throws IOException {
    Configuration own = client();
    own.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    return FileSystem.newInstance(own);
  }

  /**
   * Returns the path of a new directory of the user, beside MapReduce's staging directory; does not
   * create it.
   */
  org.apache.hadoop.fs.Path newDirectory(FileSystem files) throws IOException {
    return files.makeQualified(
        new org.apache.hadoop.fs.Path(
            client.get(STAGING)
                + "/"
                + UserGroupInformation.getCurrentUser().getShortUserName()
                + "/charon-demo-"
                + System.currentTimeMillis()));
  }

  /**
   * Returns the web addresses of the nodes: those given by the user, or else those that the
   * ResourceManager reports.
   */
  List<NodeAddress> nodes(DemoApplications applications) throws IOException {
    return nodes.isEmpty() ? applications.nodes().stream().map(NodeAddress::parse).toList() : nodes;
  }
}
