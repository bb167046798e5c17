/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * A cluster as seen by another account.
 *
 * @param cluster the cluster as seen by this process's account
 * @param account the account that jobs are submitted under
 */
record AccountClient(ClusterClient cluster, JobAccount account) implements ClusterClient {
  @Override
  public Configuration clientConfiguration() {
    return cluster.clientConfiguration();
  }

  @Override
  public Path workDirectory() {
    return cluster.workDirectory();
  }

  @Override
  public String jvmOptions() {
    return cluster.jvmOptions();
  }
}
