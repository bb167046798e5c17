/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** A running cluster as those see it that submit jobs, in its own process or in another one. */
public interface ClusterClient {
  /** A new copy of the configuration that clients of the cluster need. */
  Configuration clientConfiguration();

  /** Directory for the files of jobs; goes with the cluster. */
  Path workDirectory();

  /** The account that jobs are submitted under. */
  default JobAccount account() {
    return JobAccount.own();
  }

  /** Options that every JVM inside the cluster needs, ApplicationMasters and tasks as well. */
  String jvmOptions();
}
