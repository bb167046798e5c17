/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

/**
 * The type of a job, which determines how often one of its tasks may fail before the job fails
 * (Charon paper, section 5.1).
 */
public enum JobType {
  /** MapReduce: 40 failures. */
  MAPREDUCE(40),
  /** Spark SQL: 2 failures. */
  SQL(2);

  private final int retries;

  JobType(int retries) {
    this.retries = retries;
  }

  /** Returns the number of failures of one task that the job survives. */
  public int retries() {
    return retries;
  }
}
