/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** The account of this process, which needs no other permissions than this process has. */
record OwnAccount() implements JobAccount {
  @Override
  public Job job(Configuration configuration, String name) throws IOException {
    return Job.getInstance(configuration, name);
  }

  @Override
  public void makeWritable(Path directory) throws IOException {
    Files.createDirectories(directory);
  }

  @Override
  public <T> T run(Action<T> action) throws IOException {
    return action.run();
  }
}
