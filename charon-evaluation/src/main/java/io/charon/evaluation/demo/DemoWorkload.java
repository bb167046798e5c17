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
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** Creates the jobs of one cluster, ready to be submitted. */
final class DemoWorkload {
  static final String PRODUCTION_QUEUE = "production";
  static final String BEST_EFFORT_QUEUE = "best-effort";

  /**
   * A queue of its own, so that the outgrowing job never waits for the ApplicationMasters of other
   * jobs.
   */
  static final String OUTGROWING_QUEUE = "outgrowing";

  private final ClusterClient production;
  private final ClusterClient bestEffort;
  private final Installation installation;
  private final WorkloadPlan plan;
  private final BestEffortJobs bestEffortJobs;

  /**
   * Creates a factory of jobs.
   *
   * @param production the cluster as seen by production's account
   * @param bestEffort the same cluster as seen by best-effort's account
   */
  DemoWorkload(
      ClusterClient production,
      ClusterClient bestEffort,
      Installation installation,
      WorkloadPlan plan) {
    this.production = production;
    this.bestEffort = bestEffort;
    this.installation = installation;
    this.plan = plan;
    this.bestEffortJobs =
        new BestEffortJobs(
            bestEffort,
            installation,
            BEST_EFFORT_QUEUE,
            taskMemory(plan),
            plan.readBytesPerSecond());
  }

  private static BestEffortJobs.TaskMemory taskMemory(WorkloadPlan plan) {
    int requestMb = plan.bestEffortTaskMb();
    return plan.kind() == WorkloadKind.MEMORY
        // Uses about the same share of its request as a paced task.
        ? new BestEffortJobs.TaskMemory(requestMb, requestMb * 2 / 5, requestMb / 8)
        : BestEffortJobs.TaskMemory.withDefaultSortBuffer(requestMb);
  }

  /** Returns the production job, with one map task for each order and no reduce task. */
  Job production(List<ProductionTask> tasks) throws IOException {
    Path orders = Files.createDirectories(production.workDirectory().resolve("production-orders"));
    for (ProductionTask task : tasks) {
      Files.writeString(orders.resolve("task-" + task.index()), task.line() + "\n");
    }
    int heapMb = plan.heldBatches() * WorkloadPlan.INPUT_PART_MB + 64;
    Configuration configuration =
        MapReduceSettings.of(
            production,
            installation,
            PRODUCTION_QUEUE,
            WorkloadPlan.PRODUCTION_MASTER_MB,
            plan.productionTaskMb(),
            String.format(Locale.ROOT, "-Xms%1$dm -Xmn24m -Xmx%1$dm", heapMb));
    configuration.setInt("mapreduce.task.io.sort.mb", 8);
    production.account().makeWritable(productionDirectory());
    Job job = production.account().job(configuration, "production");
    job.setMapperClass(ProductionMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, hadoopPath(orders));
    FileOutputFormat.setOutputPath(job, hadoopPath(productionOutput()));
    return job;
  }

  /** Returns the output directory of the production job. */
  Path productionOutput() {
    return productionDirectory().resolve("output");
  }

  /** Returns the directory below which production's tasks write. */
  private Path productionDirectory() {
    return production.workDirectory().resolve("production");
  }

  /** Returns a job of the best-effort stream. */
  Job bestEffort(BestEffortOrder order) throws IOException {
    return bestEffortJobs.job(order);
  }

  /** Returns a job with one task whose first attempt uses more memory than its node has. */
  Job outgrowing() throws IOException {
    Path input = bestEffort.workDirectory().resolve("outgrowing-input");
    Files.writeString(input, "one task\n");
    Configuration configuration =
        MapReduceSettings.of(
            bestEffort,
            installation,
            OUTGROWING_QUEUE,
            WorkloadPlan.BEST_EFFORT_MASTER_MB,
            plan.outgrowingTaskMb(),
            "-Xmx" + (plan.nodeMemoryMb() + 128) + "m");
    configuration.setInt("mapreduce.task.io.sort.mb", 8);
    configuration.setInt("mapreduce.map.maxattempts", BestEffortJobs.ATTEMPTS);
    configuration.setInt(OutgrowingMapper.MEBIBYTES, plan.nodeMemoryMb());
    Job job = bestEffort.account().job(configuration, "outgrowing");
    job.setMapperClass(OutgrowingMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    FileInputFormat.addInputPath(job, hadoopPath(input));
    return job;
  }

  /** Returns the output directory of a best-effort job. */
  Path bestEffortOutput(BestEffortOrder order) {
    return bestEffortJobs.output(order);
  }

  /**
   * Returns the orders of production's tasks: one task for each node, each starting at a different
   * part of the input.
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
              productionDirectory().resolve("ready-" + index)));
    }
    return tasks;
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
