/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/**
 * The account that jobs are submitted under, and that their containers run as where the executor
 * allows it.
 */
public interface JobAccount {
  /** An action performed under an account. */
  @FunctionalInterface
  interface Action<T> {
    /** Performs the action. */
    T run() throws IOException;
  }

  /** Returns the account of this process. */
  static JobAccount own() {
    return new OwnAccount();
  }

  /**
   * Returns a MapReduce job of this account, ready to be submitted.
   *
   * @param configuration a configuration with {@link MapReduceSettings}; may be changed
   */
  Job job(Configuration configuration, String name) throws IOException;

  /**
   * Creates a directory in which containers of this account may write, if it does not exist.
   *
   * @param directory a directory inside one that belongs to this process's account
   */
  void makeWritable(Path directory) throws IOException;

  /** Performs an action under this account. */
  <T> T run(Action<T> action) throws IOException;
}
