/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.evaluation.demo.WorkloadPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The production job of one cluster. */
final class ProductionJob {
  static final String QUEUE = "production";

  private final YarnCluster cluster;
  private final Job job;
  private final int tasks;

  private ProductionJob(YarnCluster cluster, Job job, int tasks) {
    this.cluster = cluster;
    this.job = job;
    this.tasks = tasks;
  }

  /**
   * Submits the job.
   *
   * @param lines the orders of the tasks, one for each
   */
  static ProductionJob submit(YarnCluster cluster, Installation installation, List<String> lines)
      throws IOException, InterruptedException {
    Path orders = Files.createDirectories(cluster.workDirectory().resolve("production-orders"));
    for (int i = 0; i < lines.size(); i++) {
      Files.writeString(
          orders.resolve(String.format(Locale.ROOT, "task-%03d", i)), lines.get(i) + "\n");
    }
    int megabytes = ClusterPlan.PRODUCTION_TASK_MB;
    Configuration configuration =
        MapReduceSettings.of(
            cluster,
            installation,
            QUEUE,
            WorkloadPlan.PRODUCTION_MASTER_MB,
            megabytes,
            "-Xms48m -Xmx64m -XX:MaxDirectMemorySize=" + megabytes + "m");
    configuration.setInt("mapreduce.task.io.sort.mb", 8);
    Job job = Job.getInstance(configuration, QUEUE);
    job.setMapperClass(ProductionTaskMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(orders.toUri()));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output(cluster).toUri()));
    DemoApplications.submit(job);
    return new ProductionJob(cluster, job, lines.size());
  }

  ApplicationId id() {
    return DemoApplications.idOf(job.getJobID());
  }

  /** Returns the number of containers of the job when every node runs a task. */
  int firstContainers() {
    return Math.min(tasks, ClusterPlan.NODES) + 1;
  }

  /**
   * Returns the durations that the tasks have written, seconds.
   *
   * @param what {@link ProductionTaskMapper#STEP} or {@link ProductionTaskMapper#TASK}
   */
  List<Double> seconds(String what) throws IOException {
    List<Double> seconds = new ArrayList<>();
    try (Stream<Path> files = Files.list(output(cluster))) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith("part-")).toList()) {
        for (String line : Files.readAllLines(file)) {
          String[] fields = line.split("\t", -1);
          if (fields[0].equals(what)) {
            seconds.add(Long.parseLong(fields[1]) / 1000.0);
          }
        }
      }
    }
    return seconds;
  }

  private static Path output(YarnCluster cluster) {
    return cluster.workDirectory().resolve("production-output");
  }
}
