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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** Builds the jobs of one cluster, ready to be submitted. */
final class DemoWorkload {
  static final String PRODUCTION_QUEUE = "production";
  static final String BEST_EFFORT_QUEUE = "best-effort";

  /** Of its own, so that the job never waits for the others' ApplicationMasters. */
  static final String OUTGROWING_QUEUE = "outgrowing";

  private final ClusterClient cluster;
  private final Installation installation;
  private final WorkloadPlan plan;
  private final BestEffortJobs bestEffort;

  DemoWorkload(ClusterClient cluster, Installation installation, WorkloadPlan plan) {
    this.cluster = cluster;
    this.installation = installation;
    this.plan = plan;
    this.bestEffort =
        new BestEffortJobs(
            cluster, installation, BEST_EFFORT_QUEUE, taskMemory(plan), plan.readBytesPerSecond());
  }

  private static BestEffortJobs.TaskMemory taskMemory(WorkloadPlan plan) {
    int requestMb = plan.bestEffortTaskMb();
    return plan.kind() == WorkloadKind.MEMORY
        // Uses about as much of its request as a paced task.
        ? new BestEffortJobs.TaskMemory(requestMb, requestMb * 2 / 5, requestMb / 8)
        : BestEffortJobs.TaskMemory.usual(requestMb);
  }

  /** The production job: one map task for each order, no reduce. */
  Job production(List<ProductionTask> tasks) throws IOException {
    Path orders = Files.createDirectories(cluster.workDirectory().resolve("production-orders"));
    for (ProductionTask task : tasks) {
      Files.writeString(orders.resolve("task-" + task.index()), task.line() + "\n");
    }
    int heapMb = plan.heldBatches() * WorkloadPlan.INPUT_PART_MB + 64;
    Configuration configuration =
        MapReduceSettings.of(
            cluster,
            installation,
            PRODUCTION_QUEUE,
            WorkloadPlan.PRODUCTION_MASTER_MB,
            plan.productionTaskMb(),
            "-Xms%1$dm -Xmn24m -Xmx%1$dm".formatted(heapMb));
    configuration.setInt("mapreduce.task.io.sort.mb", 8);
    Job job = Job.getInstance(configuration, "production");
    job.setMapperClass(ProductionMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, hadoopPath(orders));
    FileOutputFormat.setOutputPath(job, hadoopPath(productionOutput()));
    return job;
  }

  /** Where the production job writes. */
  Path productionOutput() {
    return cluster.workDirectory().resolve("production-output");
  }

  /** A job of the best-effort stream. */
  Job bestEffort(BestEffortOrder order) throws IOException {
    return bestEffort.job(order);
  }

  /** A job of one task whose first attempt takes more memory than its node has. */
  Job outgrowing() throws IOException {
    Path input = cluster.workDirectory().resolve("outgrowing-input");
    Files.writeString(input, "one task\n");
    Configuration configuration =
        MapReduceSettings.of(
            cluster,
            installation,
            OUTGROWING_QUEUE,
            WorkloadPlan.BEST_EFFORT_MASTER_MB,
            plan.outgrowingTaskMb(),
            "-Xmx" + (plan.nodeMemoryMb() + 128) + "m");
    configuration.setInt("mapreduce.task.io.sort.mb", 8);
    configuration.setInt("mapreduce.map.maxattempts", BestEffortJobs.ATTEMPTS);
    configuration.setInt(OutgrowingMapper.MEBIBYTES, plan.nodeMemoryMb());
    Job job = Job.getInstance(configuration, "outgrowing");
    job.setMapperClass(OutgrowingMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    FileInputFormat.addInputPath(job, hadoopPath(input));
    return job;
  }

  /** Where a best-effort job writes. */
  Path bestEffortOutput(BestEffortOrder order) {
    return bestEffort.output(order);
  }

  /**
   * The orders of production's tasks: one task for each node, each begins at another part of the
   * input.
   */
  List<ProductionTask> productionTasks(PreparedInput input, ProductionPace pace) {
    int parts = input.text().parts().size();
    List<ProductionTask> tasks = new ArrayList<>();
    for (int index = 0; index < plan.nodes(); index++) {
      tasks.add(
          new ProductionTask(
              index,
              input.directory(),
              index * parts / plan.nodes(),
              pace.batches(),
              plan.heldBatches(),
              pace.arrival().toMillis(),
              cluster.workDirectory().resolve("production-ready-" + index)));
    }
    return tasks;
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
