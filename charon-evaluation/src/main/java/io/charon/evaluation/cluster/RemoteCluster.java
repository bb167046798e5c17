/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A {@link YarnCluster} that runs in another process.
 *
 * @param configuration directory that {@link YarnCluster#writeClientConfiguration} wrote
 * @param hosts hosts file that every JVM of the cluster uses
 * @param workDirectory directory for the files of jobs
 */
public record RemoteCluster(Path configuration, Path hosts, Path workDirectory)
    implements ClusterClient {
  /**
   * Returns the cluster with a given work directory.
   *
   * @param configuration directory that {@link YarnCluster#writeClientConfiguration} wrote
   * @param cluster {@link YarnCluster#workDirectory}
   */
  public static RemoteCluster of(Path configuration, Path cluster) {
    return new RemoteCluster(configuration, new ClusterFiles(cluster).hosts(), cluster);
  }

  @Override
  public RemoteCluster in(Path directory) {
    return new RemoteCluster(configuration, hosts, directory);
  }

  @Override
  public Configuration clientConfiguration() {
    Configuration client = new YarnConfiguration();
    for (String name : List.of(ClientFiles.CORE_SITE, ClientFiles.YARN_SITE)) {
      client.addResource(new org.apache.hadoop.fs.Path(configuration.resolve(name).toUri()));
    }
    // The cluster is on this machine: a daemon that does not answer at once does not run.
    client.setInt("yarn.resourcemanager.connect.max-wait.ms", 5_000);
    client.setInt("ipc.client.connect.max.retries", 1);
    return client;
  }

  @Override
  public String jvmOptions() {
    return DaemonLauncher.hostsFileOption(hosts);
  }
}
