/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.Programs;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Hadoop's own Scheduler Load Simulator in a separate process, with a workload that it can run:
 * guaranteed containers only. It follows the wall clock, so that each virtual second takes a
 * second, and needs additional time to start.
 */
public final class StockSls {
  private static final String RUNNER = "org.apache.hadoop.yarn.sls.SLSRunner";
  private static final int NODES = 100;
  private static final int JOBS = 20;
  private static final int TASKS = 20;
  private static final int TASK_MILLIS = 10_000;
  private static final String STARTED = "Added new job";
  private static final String ENDED = "is shutting down";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private final PrintWriter out;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Creates the measurement.
   *
   * @param out receives progress
   */
  public StockSls(PrintWriter out) {
    this.out = out;
  }

  /**
   * Runs the simulator if Hadoop has published it for this version.
   *
   * @param budget budget with which the benchmark started
   * @throws IOException if its files cannot be written
   * @throws InterruptedException if interrupted
   */
  public StockSlsSpeed measure(TimeBudget budget) throws IOException, InterruptedException {
    if (budget.isExhausted(1)) {
      return unmeasured("the time limit was reached");
    }
    try {
      Class.forName(RUNNER, false, StockSls.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return unmeasured("it is not published for this version of Hadoop");
    }
    Path directory = Files.createTempDirectory("charon-stock-sls");
    try {
      writeFiles(directory);
      out.printf(
          "stock SLS: %d nodes, %d jobs of %d tasks of %d s%n",
          NODES, JOBS, TASKS, TASK_MILLIS / 1000);
      out.flush();
      return run(directory);
    } finally {
      TemporaryDirectory.delete(directory);
    }
  }

  private StockSlsSpeed run(Path directory) throws IOException, InterruptedException {
    Path log = directory.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Dlog4j.configuration=stock-sls-log4j.properties",
            "-cp",
            directory + ":" + System.getProperty("java.class.path"),
            RUNNER,
            "-tracetype",
            "SYNTH",
            "-tracelocation",
            directory.resolve("jobs.json").toString(),
            "-nodes",
            directory.resolve("nodes.json").toString(),
            "-output",
            directory.resolve("out").toString());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    long start = System.nanoTime();
    Process process = builder.start();
    try {
      // It counts its jobs without a lock and sometimes never completes the count.
      while (process.isAlive() && logged(log, ENDED).size() < JOBS) {
        if (System.nanoTime() - start > TIMEOUT.toNanos()) {
          return unmeasured("it did not end within %d s".formatted(TIMEOUT.toSeconds()));
        }
        Thread.sleep(POLL_INTERVAL.toMillis());
      }
    } finally {
      Programs.kill(process, RUNNER);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Long> started = logged(log, STARTED);
    List<Long> ended = logged(log, ENDED);
    if (started.isEmpty() || ended.size() < JOBS) {
      return unmeasured("it ended early: " + firstError(log));
    }
    return new StockSlsSpeed(
        NODES,
        JOBS,
        true,
        (ended.get(JOBS - 1) - started.get(0)) / 1e3,
        seconds,
        List.of(
            "Stock SLS: guaranteed containers only, by the wall clock; its wall time "
                + "includes its start."));
  }

  /** Returns the times at which a text was logged, in milliseconds from the start. */
  private static List<Long> logged(Path log, String what) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains(what))
          .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
          .toList();
    }
  }

  private static StockSlsSpeed unmeasured(String why) {
    return new StockSlsSpeed(
        NODES, JOBS, false, 0, 0, List.of("Stock SLS was not measured: " + why + "."));
  }

  private static String firstError(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.contains("Exception")).findFirst().orElse("no exception");
    }
  }

  private void writeFiles(Path directory) throws IOException {
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry(
                "yarn.resourcemanager.scheduler.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"),
            Map.entry(
                "yarn.sls.am.type.mapreduce", "org.apache.hadoop.yarn.sls.appmaster.MRAMSimulator"),
            Map.entry("yarn.sls.metrics.switch", "false"),
            Map.entry("yarn.sls.nm.memory.mb", "131072"),
            Map.entry("yarn.sls.nm.vcores", "32"),
            Map.entry("yarn.scheduler.capacity.root.queues", "default"),
            Map.entry("yarn.scheduler.capacity.root.default.capacity", "100"),
            // Avoid the ports of a cluster on this machine.
            Map.entry("yarn.resourcemanager.address", "127.0.0.1:0"),
            Map.entry("yarn.resourcemanager.scheduler.address", "127.0.0.1:0"),
            Map.entry("yarn.resourcemanager.resource-tracker.address", "127.0.0.1:0"),
            Map.entry("yarn.resourcemanager.admin.address", "127.0.0.1:0"),
            Map.entry("yarn.resourcemanager.webapp.address", "127.0.0.1:0"));
    Files.writeString(
        directory.resolve("sls-runner.xml"),
        settings.entrySet().stream()
            .map(
                setting ->
                    "<property><name>%s</name><value>%s</value></property>"
                        .formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining("\n", "<configuration>\n", "\n</configuration>\n")));
    Files.writeString(
        directory.resolve("stock-sls-log4j.properties"),
        """
        log4j.rootLogger=WARN,console
        log4j.logger.org.apache.hadoop.yarn.sls=INFO
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%r %m%n
        """);
    ObjectNode topology = mapper.createObjectNode().put("rack", "default-rack");
    ArrayNode nodes = topology.putArray("nodes");
    for (int i = 1; i <= NODES; i++) {
      // An address needs no name service.
      nodes.addObject().put("node", "10.0.0." + i);
    }
    mapper.writeValue(directory.resolve("nodes.json").toFile(), topology);
    mapper.writeValue(directory.resolve("jobs.json").toFile(), jobs());
  }

  private ObjectNode jobs() {
    ObjectNode trace = mapper.createObjectNode();
    trace.put("num_nodes", NODES).put("nodes_per_rack", NODES).put("num_jobs", JOBS);
    trace.put("rand_seed", 1);
    ObjectNode workload = trace.putArray("workloads").addObject();
    workload.put("workload_name", "bench").put("workload_weight", 1).put("queue_name", "default");
    ObjectNode job = workload.putArray("job_classes").addObject();
    job.put("class_name", "job").put("user_name", "charon").put("class_weight", 1);
    job.put("type", "mapreduce");
    value(job, "deadline_factor", 1);
    value(job, "duration", TASK_MILLIS / 1000);
    value(job, "reservation", 0);
    ObjectNode task = job.putArray("tasks").addObject();
    task.put("type", "map").put("priority", 20);
    value(task, "count", TASKS);
    value(task, "time", TASK_MILLIS);
    value(task, "max_memory", 1024);
    value(task, "max_vcores", 1);
    ArrayNode times = workload.putArray("time_distribution");
    times.addObject().put("time", 1).put("weight", 1);
    times.addObject().put("time", 10).put("weight", 0);
    return trace;
  }

  private static void value(ObjectNode node, String name, int value) {
    node.putObject(name).put("val", value);
  }
}
