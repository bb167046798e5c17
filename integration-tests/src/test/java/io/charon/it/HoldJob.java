/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import io.charon.evaluation.cluster.YarnCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A best-effort MapReduce job with tasks that wait for the test. */
final class HoldJob {
  static final String QUEUE = "best-effort";
  static final int TASK_MEBIBYTES = 512;

  /** A different size, so that peaks learned from greedy tasks are not expected of other tasks. */
  private static final int GREEDY_TASK_MEBIBYTES = 640;

  private static final int MASTER_MEBIBYTES = 384;

  private final Job job;
  private final Path release;

  /** Shared by all queries, because creating a client is more expensive than a query. */
  private final YarnClient yarn;

  private HoldJob(Job job, Path release, YarnClient yarn) {
    this.job = job;
    this.release = release;
    this.yarn = yarn;
  }

  /**
   * Submits the job.
   *
   * @param tasks number of waiting tasks
   * @param firstAttemptMebibytes memory that the first attempt of the first task allocates, 0 for
   *     none
   */
  static HoldJob submit(
      YarnCluster cluster, Installation installation, int tasks, int firstAttemptMebibytes)
      throws Exception {
    Configuration configuration =
        MapReduceSettings.of(
            cluster,
            installation,
            QUEUE,
            MASTER_MEBIBYTES,
            firstAttemptMebibytes == 0 ? TASK_MEBIBYTES : GREEDY_TASK_MEBIBYTES,
            // A JVM's old generation is two thirds of its heap.
            "-Xmx" + Math.max(96, 2 * firstAttemptMebibytes) + "m");
    return submit(configuration, cluster.workDirectory(), tasks, firstAttemptMebibytes);
  }

  /**
   * Submits the job to any cluster.
   *
   * @param configuration configuration of the job, with its memory and the addresses of its cluster
   * @param work directory for its input
   * @param tasks number of waiting tasks
   * @param firstAttemptMebibytes memory that the first attempt of the first task allocates, 0 for
   *     none
   */
  static HoldJob submit(
      Configuration configuration, Path work, int tasks, int firstAttemptMebibytes)
      throws Exception {
    Path directory = Files.createTempDirectory(work, "hold-job-");
    Path input = directory.resolve("input");
    Files.write(input, Collections.nCopies(tasks, "task"));
    Path release = directory.resolve("release");
    configuration.set(HoldMapper.RELEASE_FILE, release.toString());
    configuration.setInt(HoldMapper.FIRST_ATTEMPT_MEBIBYTES, firstAttemptMebibytes);
    Job job = Job.getInstance(configuration, "hold");
    job.setJar(jarOf(directory.resolve("hold.jar"), HoldMapper.class).toString());
    job.setMapperClass(HoldMapper.class);
    job.setNumReduceTasks(0);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.setNumLinesPerSplit(job, 1);
    NLineInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.submit();
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(configuration);
    yarn.start();
    return new HoldJob(job, release, yarn);
  }

  /** Lets all present and future tasks finish. */
  void release() throws IOException {
    Files.writeString(release, "go");
  }

  /**
   * Returns whether its application has ended, as the ResourceManager, which outlives it, reports.
   */
  boolean isComplete() throws Exception {
    return report().getFinalApplicationStatus() != FinalApplicationStatus.UNDEFINED;
  }

  boolean isSuccessful() throws Exception {
    return report().getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED;
  }

  /** Lets the tasks finish; asserts that none was lost so far and that the job succeeds. */
  void endsWithoutLoss() throws Exception {
    assertThat(counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(counter(JobCounter.NUM_KILLED_MAPS)).isZero();
    endsWell();
  }

  /** Lets the tasks finish and asserts that the job succeeds. */
  void endsWell() throws Exception {
    release();
    await("the job ends", this::isComplete);
    assertThat(isSuccessful()).isTrue();
  }

  void kill() throws Exception {
    yarn.killApplication(TypeConverter.toYarn(job.getJobID()).getAppId());
  }

  private ApplicationReport report() throws Exception {
    return yarn.getApplicationReport(TypeConverter.toYarn(job.getJobID()).getAppId());
  }

  /**
   * Returns the value of a job counter of MapReduce; works only while the job's master is running.
   */
  long counter(JobCounter counter) throws IOException {
    return job.getCounters().findCounter(counter).getValue();
  }

  /** Creates a jar with one class. */
  static Path jarOf(Path jar, Class<?> type) throws IOException {
    String entry = type.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = type.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
