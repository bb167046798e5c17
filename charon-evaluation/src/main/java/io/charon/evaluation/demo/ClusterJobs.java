/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.Installation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Creates the demo's jobs for an existing cluster, ready to be submitted. */
final class ClusterJobs {
  /** Memory that a task requests, MiB; it uses about 200. */
  static final int TASK_MB = 448;

  /** Memory that a production task reserves, MiB; its heap is at most 200. */
  static final int PRODUCTION_TASK_MB = 1024;

  private static final int MASTER_MB = 320;
  private static final long READ_BYTES_PER_SECOND = 700_000;

  private final ExistingCluster cluster;
  private final Installation installation;
  private final Path directory;
  private final String tag;

  /**
   * Creates a factory of jobs.
   *
   * @param directory directory of input and output on the cluster's file system
   * @param tag the tag that makes a job best-effort on the cluster
   */
  ClusterJobs(ExistingCluster cluster, Installation installation, Path directory, String tag) {
    this.cluster = cluster;
    this.installation = installation;
    this.directory = directory;
    this.tag = tag;
  }

  /** Returns the directory of the input's parts. */
  Path input() {
    return new Path(directory, "input");
  }

  /** Returns the output directory of a best-effort job. */
  Path output(BestEffortOrder order) {
    return new Path(directory, "job-" + order.index());
  }

  /**
   * Returns the production job: a word count without the tag, whose map tasks each read one part in
   * about the length of the window.
   */
  Job production(List<java.nio.file.Path> parts, Duration window) throws IOException {
    long bytesPerSecond = ((long) WorkloadPlan.INPUT_PART_MB << 20) / window.toSeconds();
    Configuration configuration = configuration(PRODUCTION_TASK_MB, bytesPerSecond);
    return job(
        configuration, "production", JobKind.WORDCOUNT, parts, new Path(directory, "production"));
  }

  /** Returns a job of the best-effort stream. */
  Job bestEffort(BestEffortOrder order) throws IOException {
    Configuration configuration = configuration(TASK_MB, READ_BYTES_PER_SECOND);
    configuration.set("mapreduce.job.tags", tag);
    configuration.setInt("mapreduce.map.maxattempts", BestEffortJobs.ATTEMPTS);
    configuration.setInt("mapreduce.reduce.maxattempts", BestEffortJobs.ATTEMPTS);
    return job(configuration, order.kind().label(), order.kind(), order.input(), output(order));
  }

  private Configuration configuration(int taskMb, long bytesPerSecond) {
    Configuration job = cluster.client();
    job.setBoolean("mapreduce.client.genericoptionsparser.used", true);
    job.setInt("yarn.app.mapreduce.am.resource.mb", MASTER_MB);
    job.set("yarn.app.mapreduce.am.command-opts", "-Xmx128m -XX:+UseSerialGC");
    job.setInt("mapreduce.map.memory.mb", taskMb);
    job.setInt("mapreduce.reduce.memory.mb", taskMb);
    job.set("mapreduce.map.java.opts", "-Xmx200m -XX:+UseSerialGC");
    job.set("mapreduce.reduce.java.opts", "-Xmx200m -XX:+UseSerialGC");
    job.setInt("mapreduce.task.io.sort.mb", 64);
    job.setDouble("mapreduce.job.reduce.slowstart.completedmaps", 1.0);
    job.setBoolean("mapreduce.map.speculative", false);
    job.setBoolean("mapreduce.reduce.speculative", false);
    RateLimitedTextInputFormat.setBytesPerSecond(job, bytesPerSecond);
    return job;
  }

  private Job job(
      Configuration configuration,
      String name,
      JobKind kind,
      List<java.nio.file.Path> parts,
      Path output)
      throws IOException {
    Job job = Job.getInstance(configuration, name);
    job.setJar(installation.jobJar().toString());
    job.setInputFormatClass(RateLimitedTextInputFormat.class);
    job.setNumReduceTasks(1);
    kind.configure(job);
    for (java.nio.file.Path part : parts) {
      FileInputFormat.addInputPath(job, new Path(input(), part.getFileName().toString()));
    }
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }
}
