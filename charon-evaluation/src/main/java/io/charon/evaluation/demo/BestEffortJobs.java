/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Makes the best-effort jobs of one cluster, ready to be submitted. */
public final class BestEffortJobs {
  /** Maximum attempts of a best-effort task (paper, section 5.1: 40 for MapReduce). */
  public static final int ATTEMPTS = 40;

  /**
   * Memory settings of a task.
   *
   * @param requestMb memory that the task requests, MiB
   * @param heapMb maximum heap of the task's JVM, MiB
   * @param sortMb sort buffer, which accounts for most of the memory that the task uses, MiB
   */
  public record TaskMemory(int requestMb, int heapMb, int sortMb) {
    /**
     * Returns the settings of a task with MapReduce's default sort buffer of 100 MiB; such a task
     * uses about 200 MiB.
     */
    public static TaskMemory withDefaultSortBuffer(int requestMb) {
      return new TaskMemory(requestMb, 200, 100);
    }
  }

  private final ClusterClient cluster;
  private final Installation installation;
  private final String queue;
  private final TaskMemory task;
  private final long readBytesPerSecond;

  /**
   * Creates a factory of best-effort jobs.
   *
   * @param queue the queue to which the jobs are submitted
   * @param task memory settings of each task
   * @param readBytesPerSecond rate at which each map task reads its input, bytes per second
   */
  public BestEffortJobs(
      ClusterClient cluster,
      Installation installation,
      String queue,
      TaskMemory task,
      long readBytesPerSecond) {
    this.cluster = cluster;
    this.installation = installation;
    this.queue = queue;
    this.task = task;
    this.readBytesPerSecond = readBytesPerSecond;
  }

  /**
   * Returns the job of an order, with one map task for each part of its input and one reduce task.
   */
  public Job job(BestEffortOrder order) throws IOException {
    Configuration configuration =
        MapReduceSettings.of(
            cluster,
            installation,
            queue,
            WorkloadPlan.BEST_EFFORT_MASTER_MB,
            task.requestMb(),
            "-Xmx" + task.heapMb() + "m");
    configuration.setInt("mapreduce.task.io.sort.mb", task.sortMb());
    configuration.setInt("mapreduce.map.maxattempts", ATTEMPTS);
    configuration.setInt("mapreduce.reduce.maxattempts", ATTEMPTS);
    configuration.setDouble("mapreduce.job.reduce.slowstart.completedmaps", 1.0);
    configuration.setInt("mapreduce.reduce.shuffle.parallelcopies", 2);
    RateLimitedTextInputFormat.setBytesPerSecond(configuration, readBytesPerSecond);
    cluster.account().makeWritable(outputs());
    Job job = cluster.account().job(configuration, order.kind().label());
    job.setInputFormatClass(RateLimitedTextInputFormat.class);
    job.setNumReduceTasks(1);
    order.kind().configure(job);
    for (Path part : order.input()) {
      FileInputFormat.addInputPath(job, hadoopPath(part));
    }
    FileOutputFormat.setOutputPath(job, hadoopPath(output(order)));
    return job;
  }

  /** Returns the output directory of a job. */
  public Path output(BestEffortOrder order) {
    return outputs().resolve("job-" + order.index());
  }

  private Path outputs() {
    return cluster.workDirectory().resolve("best-effort-output");
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
