/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes that the JVMs of a cluster load, for {@link SharedClasses}: runs a
 * ResourceManager, a NodeManager and a small MapReduce job in this JVM.
 */
final class SharedClassesProgram {
  private static final String ANY_PORT = "127.0.0.1:0";
  private static final String NOBODY = " ";

  private static final List<String> ADDRESSES =
      List.of(
          YarnConfiguration.RM_ADDRESS,
          YarnConfiguration.RM_SCHEDULER_ADDRESS,
          YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
          YarnConfiguration.RM_ADMIN_ADDRESS,
          YarnConfiguration.RM_WEBAPP_ADDRESS,
          YarnConfiguration.NM_ADDRESS,
          YarnConfiguration.NM_LOCALIZER_ADDRESS,
          YarnConfiguration.NM_WEBAPP_ADDRESS,
          YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS);

  /** What only an ApplicationMaster or a task in its own JVM loads: the classes that load most. */
  private static final List<String> OF_CONTAINERS =
      List.of(
          "org.apache.hadoop.mapreduce.v2.app.MRAppMaster",
          "org.apache.hadoop.mapreduce.v2.app.client.MRClientService",
          "org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl",
          "org.apache.hadoop.mapreduce.v2.app.job.impl.MapTaskImpl",
          "org.apache.hadoop.mapreduce.v2.app.job.impl.ReduceTaskImpl",
          "org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl",
          "org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherImpl",
          "org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator",
          "org.apache.hadoop.mapreduce.jobhistory.JobHistoryEventHandler",
          "org.apache.hadoop.mapred.TaskAttemptListenerImpl",
          "org.apache.hadoop.mapred.YarnChild");

  private static final Logger LOG = LoggerFactory.getLogger(SharedClassesProgram.class);

  private SharedClassesProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments an empty directory for its files
   */
  public static void main(String[] arguments) {
    int exitCode = 0;
    try {
      load(Path.of(arguments[0]));
    } catch (Exception | LinkageError e) {
      LOG.error("not all classes are loaded", e);
      exitCode = 1;
    }
    // The daemons have nothing to save, and their orderly end takes minutes.
    Runtime.getRuntime().halt(exitCode);
  }

  private static void load(Path directory) throws Exception {
    Configuration configuration = configuration(directory);
    start(new ResourceManager(), configuration);
    start(new NodeManager(), configuration);
    countWords(directory, configuration);
    for (String name : OF_CONTAINERS) {
      Class.forName(name);
    }
  }

  private static Configuration configuration(Path directory) {
    YarnConfiguration configuration = new YarnConfiguration();
    LocalFiles.properties().forEach(configuration::set);
    ADDRESSES.forEach(name -> configuration.set(name, ANY_PORT));
    configuration.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
    configuration.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("logs").toString());
    configuration.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle");
    configuration.set("mapreduce.shuffle.port", "0");
    configuration.set("mapreduce.cluster.local.dir", directory.resolve("job").toString());
    configuration.setInt("mapreduce.client.completion.pollinterval", 100);
    configuration.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    configuration.set("yarn.scheduler.capacity.root.queues", "default");
    configuration.set("yarn.scheduler.capacity.root.default.capacity", "100");
    // The ports are open to all users of this machine, none of whom may submit anything.
    configuration.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
    configuration.set(YarnConfiguration.YARN_ADMIN_ACL, NOBODY);
    configuration.set("yarn.scheduler.capacity.root.acl_submit_applications", NOBODY);
    configuration.set("yarn.scheduler.capacity.root.acl_administer_queue", NOBODY);
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    return configuration;
  }

  private static void start(AbstractService daemon, Configuration configuration) {
    daemon.init(configuration);
    daemon.start();
  }

  private static void countWords(Path directory, Configuration configuration)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path input = Files.writeString(directory.resolve("words"), "a word and another word\n");
    Job job = Job.getInstance(configuration);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setCombinerClass(WordCount.IntSumReducer.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, path(input));
    FileOutputFormat.setOutputPath(job, path(directory.resolve("counts")));
    if (!job.waitForCompletion(false)) {
      throw new IOException("the job failed: " + job.getStatus().getFailureInfo());
    }
  }

  private static org.apache.hadoop.fs.Path path(Path local) {
    return new org.apache.hadoop.fs.Path(local.toUri());
  }
}
