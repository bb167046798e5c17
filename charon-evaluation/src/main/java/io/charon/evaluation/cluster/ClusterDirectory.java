/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * A cluster with another directory for the files of jobs.
 *
 * @param cluster the cluster
 * @param workDirectory directory for the files of jobs, removed with the cluster
 */
record ClusterDirectory(ClusterClient cluster, Path workDirectory) implements ClusterClient {
  @Override
  public Configuration clientConfiguration() {
    return cluster.clientConfiguration();
  }

  @Override
  public JobAccount account() {
    return cluster.account();
  }

  @Override
  public String jvmOptions() {
    return cluster.jvmOptions();
  }
}
