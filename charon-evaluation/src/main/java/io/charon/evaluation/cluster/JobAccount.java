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

/** The account that jobs are submitted under, and that their containers run as if they may. */
public interface JobAccount {
  /** Something that is done under an account. */
  @FunctionalInterface
  interface Action<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /** The account of this process. */
  static JobAccount own() {
    return new OwnAccount();
  }

  /**
   * A MapReduce job of this account, ready to be submitted.
   *
   * @param configuration with {@link MapReduceSettings}; may be changed
   */
  Job job(Configuration configuration, String name) throws IOException;

  /**
   * Makes a directory in which containers of this account may write, if it is not there.
   *
   * @param directory in a directory of this process's own account
   */
  void makeWritable(Path directory) throws IOException;

  /** Does something under this account. */
  <T> T run(Action<T> action) throws IOException;
}
