/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * A running cluster as seen by clients that submit jobs, in the cluster's own process or in another
 * one.
 */
public interface ClusterClient {
  /** Returns a new copy of the configuration that clients of the cluster need. */
  Configuration clientConfiguration();

  /** Returns the directory for the files of jobs, which is removed with the cluster. */
  Path workDirectory();

  /**
   * Returns the same cluster with another directory for the files of jobs.
   *
   * @param directory a directory below {@link #workDirectory()}
   */
  default ClusterClient in(Path directory) {
    return new ClusterDirectory(this, directory);
  }

  /** Returns the account that jobs are submitted under. */
  default JobAccount account() {
    return JobAccount.own();
  }

  /**
   * Returns options that every JVM inside the cluster needs, those of ApplicationMasters and tasks
   * included.
   */
  String jvmOptions();
}
