/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import io.charon.evaluation.cluster.MapReduceSettings;
import io.charon.evaluation.cluster.YarnCluster;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * A job of an unmodified Spark, submitted by Spark's own command in a separate JVM, in cluster
 * mode. Spark's jars are in another directory than Charon's.
 */
final class SparkJob implements AutoCloseable {
  static final int EXECUTORS = 3;
  static final int EXECUTOR_MEBIBYTES = 512 + 256;

  /** System property with the output directory of the module integration-tests/spark. */
  private static final String SPARK_PROPERTY = "charon.it.spark";

  private static final String MAIN_CLASS = "io.charon.it.spark.DigitCount";

  private final Path directory;
  private final Process submission;
  private final YarnClient yarn = YarnClient.createYarnClient();

  private SparkJob(YarnCluster cluster, Path directory, Process submission) {
    this.directory = directory;
    this.submission = submission;
    yarn.init(cluster.clientConfiguration());
    yarn.start();
  }

  /** Submits the job to a queue. */
  static SparkJob submit(YarnCluster cluster, String queue) throws IOException {
    Path spark = Path.of(System.getProperty(SPARK_PROPERTY)).toAbsolutePath().normalize();
    Path directory = Files.createTempDirectory(cluster.workDirectory(), "spark-job-");
    Path configuration = Files.createDirectory(directory.resolve("conf"));
    try (OutputStream out = Files.newOutputStream(configuration.resolve("yarn-site.xml"))) {
      cluster.clientConfiguration().writeXml(out);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.add(cluster.jvmOptions());
    for (String opened : List.of("java.lang", "java.nio", "java.util", "sun.nio.ch")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", configuration + File.pathSeparator + spark + "/spark-lib/*"));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--master", "yarn", "--deploy-mode", "cluster", "--queue", queue));
    properties(cluster, spark, directory)
        .forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.addAll(List.of("--class", MAIN_CLASS, spark.resolve("spark-job.jar").toString()));
    command.add(directory.resolve("release").toString());
    command.add(directory.resolve("result").toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("submit.log").toFile());
    builder.environment().put("HADOOP_CONF_DIR", configuration.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return new SparkJob(cluster, directory, builder.start());
  }

  private static Map<String, String> properties(YarnCluster cluster, Path spark, Path directory) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("spark.yarn.jars", "local:" + spark + "/spark-lib/*");
    properties.put("spark.yarn.populateHadoopClasspath", "false");
    properties.put("spark.yarn.stagingDir", directory.resolve("staging").toUri().toString());
    properties.put("spark.yarn.maxAppAttempts", "1");
    properties.put("spark.driver.memory", "512m");
    properties.put("spark.driver.memoryOverhead", "256m");
    properties.put("spark.executor.instances", Integer.toString(EXECUTORS));
    properties.put("spark.executor.cores", "1");
    properties.put("spark.executor.memory", "512m");
    properties.put("spark.executor.memoryOverhead", "256m");
    properties.put("spark.ui.enabled", "false");
    String jvm = MapReduceSettings.LEAN_JVM + cluster.jvmOptions();
    properties.put("spark.driver.extraJavaOptions", jvm);
    properties.put("spark.executor.extraJavaOptions", jvm);
    properties.put("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
    properties.put("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
    return properties;
  }

  /** Lets the tasks continue. */
  void release() throws IOException {
    Files.writeString(directory.resolve("release"), "go");
  }

  /**
   * Returns the job's containers that the ResourceManager reports, including that of its master.
   */
  List<ContainerReport> containers() throws Exception {
    List<ContainerReport> containers = new ArrayList<>();
    for (ApplicationReport application : yarn.getApplications()) {
      containers.addAll(yarn.getContainers(application.getCurrentApplicationAttemptId()));
    }
    return containers;
  }

  /**
   * Returns whether Spark's command has ended.
   *
   * @throws AssertionError if it has failed; the message contains its log
   */
  boolean isComplete() throws IOException {
    if (submission.isAlive()) {
      return false;
    }
    if (submission.exitValue() != 0) {
      throw new AssertionError(
          "Spark's command failed:\n" + Files.readString(directory.resolve("submit.log")));
    }
    return true;
  }

  /** Returns the output of the job. */
  String result() throws IOException {
    return Files.readString(directory.resolve("result"));
  }

  @Override
  public void close() {
    yarn.stop();
    TimedProgram.end(submission);
  }
}
