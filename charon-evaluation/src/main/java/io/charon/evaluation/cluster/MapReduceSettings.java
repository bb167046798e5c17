/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Settings of a small MapReduce job. */
public final class MapReduceSettings {
  /**
   * JVM options that reduce the work at start-up, for short tasks: one compiler, one collector
   * thread.
   */
  public static final String LEAN_JVM =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -XX:-UsePerfData ";

  private MapReduceSettings() {}

  /**
   * Returns a new configuration of a job on a cluster of this machine.
   *
   * @param queue the queue to which the job is submitted
   * @param masterMb memory of the job's ApplicationMaster, MiB
   * @param taskMb memory of each task, MiB
   * @param taskJvm heap options of the tasks
   */
  public static Configuration of(
      ClusterClient cluster,
      Installation installation,
      String queue,
      int masterMb,
      int taskMb,
      String taskJvm) {
    Configuration job = cluster.clientConfiguration();
    job.set("mapreduce.job.queuename", queue);
    String classPath = installation.lib() + "/*";
    String jvmOptions = cluster.jvmOptions() + SharedClasses.of(installation).taskOptions();
    addTo(job, cluster.workDirectory(), classPath, jvmOptions, masterMb, taskMb, taskJvm);
    return job;
  }

  /**
   * Adds the settings of a job to a client's configuration.
   *
   * @param job configuration that receives the settings
   * @param work directory of the job's staging files
   * @param classPath class path of the ApplicationMaster and the tasks, separated by commas
   * @param jvmOptions options that every JVM needs
   * @param masterMb memory of the job's ApplicationMaster, MiB
   * @param taskMb memory of each task, MiB
   * @param taskJvm heap options of the tasks
   */
  public static void addTo(
      Configuration job,
      Path work,
      String classPath,
      String jvmOptions,
      int masterMb,
      int taskMb,
      String taskJvm) {
    job.set("mapreduce.framework.name", "yarn");
    job.set("yarn.app.mapreduce.am.staging-dir", work.resolve("staging").toString());
    // There is no history server; the state of finished jobs comes from the ResourceManager.
    job.set("mapreduce.jobhistory.address", "");
    // Suppresses the advice to use Hadoop's option parser; the caller parses its own options.
    job.setBoolean("mapreduce.client.genericoptionsparser.used", true);
    job.set("yarn.application.classpath", "$HADOOP_CONF_DIR");
    job.set("mapreduce.application.classpath", classPath);
    String jvm = LEAN_JVM + jvmOptions;
    job.setInt("yarn.app.mapreduce.am.resource.mb", masterMb);
    job.set("yarn.app.mapreduce.am.command-opts", "-Xmx80m " + jvm);
    job.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 250);
    job.setInt("yarn.app.mapreduce.am.job.task.listener.thread-count", 4);
    job.setInt("mapreduce.map.memory.mb", taskMb);
    job.setInt("mapreduce.reduce.memory.mb", taskMb);
    job.set("mapreduce.map.java.opts", taskJvm + " " + jvm);
    job.set("mapreduce.reduce.java.opts", taskJvm + " " + jvm);
    job.setBoolean("mapreduce.map.speculative", false);
    job.setBoolean("mapreduce.reduce.speculative", false);
    job.setBoolean("mapreduce.job.emit-timeline-data", false);
  }
}
