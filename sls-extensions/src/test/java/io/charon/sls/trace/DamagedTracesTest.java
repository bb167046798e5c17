/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.SimulatedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Damaged traces are read or refused by file and line; no other exception leaves a reader. */
class DamagedTracesTest {
  private static final int TRIES = 20;
  private static final TraceNodeSize NODE = new TraceNodeSize(8L << 30, 8);
  private static final String SLS =
      """
      {"am.type": "mapreduce", "job.start.ms": 0, "job.end.ms": 95375, "job.queue.name": "q",
       "job.id": "job_1", "job.user": "jenkins", "job.count": 2, "job.tasks": [
        {"container.host": "/rack1/node1", "container.start.ms": 1000, "container.end.ms": 31000,
         "container.memory": 2048, "container.vcores": 2, "container.count": 3,
         "container.exetype": "opportunistic", "other": {"deep": [1, {"a": 2}]},
         "container.musage": {"times": [1000, 5000, 20000], "mems": [100, 2000, 500]}}]}
      {"job.start.ms": 500, "job.id": "job_2", "job.tasks": [
        {"container.start.ms": 1000, "duration.ms": 31000}, {"container.end.ms": 1}]}
      """;
  private static final String WORKLOAD =
      """
      {"format":"charon-workload","version":1,"nodes":1,"nodeMemoryBytes":1000,"nodeCores":2,\
      "productionJobs":1,"bestEffortJobs":1,"tasks":2,"usedOverRequested":0.5,\
      "productionUsedOverRequested":0,"bestEffortUsedOverRequested":0.5,"load":1,"seed":1,\
      "provenance":"","rules":["one"]}
      {"id":"a","name":"a","user":"u","side":"BEST_EFFORT","type":"SQL","submitMillis":9,\
      "tasks":[{"count":1,"requestedBytes":100,"virtualCores":1,"usedCores":1,\
      "durationMillis":5,"memory":[[0,1,1],[0.5,2,2,1]]}]}
      {"id":"b","name":"a","user":"u","side":"PRODUCTION","type":"MAPREDUCE","submitMillis":10,\
      "tasks":[{"count":1,"requestedBytes":100,"virtualCores":1,"usedCores":1,\
      "durationMillis":5,"memory":[[0,1,1]],"stage":1}]}
      """;
  private static final String JOB_EVENTS =
      """
      0,,1,0,user,2,name,logical1
      600000000,,2,0,user,0,name,
      700000000,,2,4,user,0,name,
      900000000,,1,4,user,2,name,logical1
      """;
  private static final String TASK_EVENTS =
      """
      0,,1,0,7,0,user,2,9,0.25,0.5,0,0
      0,,1,0,7,1,user,2,9,0.25,0.5,0,0
      610000000,,2,0,7,0,user,0,0,0.25,0.5,0,0
      620000000,,2,0,7,1,user,0,0,0.25,,0,0
      630000000,,2,1,7,1,user,0,0,0.5,0.1,0,0
      690000000,,2,1,7,4,user,0,0,0.5,0.1,0,0
      900000000,,1,0,7,2,user,2,9,0.25,0.5,0,0
      """;
  private static final String MACHINE_EVENTS =
      """
      0,1,0,p,1,1
      0,2,0,p,0.5,0.25
      700000000,2,1,p,0.5,0.25
      """;
  private static final String TASKS =
      """
      job_id,task_index,class,priority,sched_class,cpu_req,mem_req,submit_s,first_sched_s,\
      last_sched_s,end_s,end_type,n_sched,n_evict,n_fail,machine_id,job_end_s,job_end_type
      1,0,production,9,3,0.1,0.2,0.0,0.0,0.0,,,1,0,0,5,,
      2,0,other,4,0,0.1,0.4,700.5,701.0,701.0,800.0,FINISH,1,0,0,5,900,FINISH
      2,1,other,4,0,0.1,0.4,700.5,,,,,0,0,0,,900,FINISH
      """;
  private static final String JOBS =
      """
      job_id,sched_class,logical_name_id,submit_s,sched_s,end_s,end_type
      1,3,88,0.0,0.0,,
      2,0,99,700.5,701,900,FINISH
      """;

  private Path directory;

  @BeforeProperty
  void create() throws IOException {
    directory = Files.createTempDirectory("damaged-traces");
  }

  @AfterProperty
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Provide
  Arbitrary<String> sls() {
    return DamagedTables.of(SLS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void theJsonOfTheSimulator(@ForAll("sls") String text) throws IOException {
    DamagedTables.assertReadOrRefused(
        DamagedTables.write(directory.resolve("sls.json"), text),
        (file, badRows) -> {
          try (TraceReader reader = new SlsJsonReader(file, NODE, badRows)) {
            TraceFiles.readAll(reader);
          }
        });
  }

  @Provide
  Arbitrary<String> workload() {
    return DamagedTables.of(WORKLOAD);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void workloads(@ForAll("workload") String text) throws IOException {
    DamagedTables.assertReadOrRefused(
        DamagedTables.write(directory.resolve("workload.jsonl.gz"), text),
        (file, badRows) -> {
          try (WorkloadReader reader = new WorkloadReader(file)) {
            for (Optional<SimulatedJob> job = reader.next();
                job.isPresent();
                job = reader.next()) {}
          }
        });
  }

  @Provide
  Arbitrary<String> jobEvents() {
    return DamagedTables.of(JOB_EVENTS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void jobsOfTheRawTrace(@ForAll("jobEvents") String text) throws IOException {
    readRaw("job_events", text);
  }

  @Provide
  Arbitrary<String> taskEvents() {
    return DamagedTables.of(TASK_EVENTS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void tasksOfTheRawTrace(@ForAll("taskEvents") String text) throws IOException {
    readRaw("task_events", text);
  }

  @Provide
  Arbitrary<String> machineEvents() {
    return DamagedTables.of(MACHINE_EVENTS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void machinesOfTheRawTrace(@ForAll("machineEvents") String text) throws IOException {
    readRaw("machine_events", text);
  }

  @Provide
  Arbitrary<String> tasks() {
    return DamagedTables.of(TASKS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void tasksOfTheDerivedTables(@ForAll("tasks") String text) throws IOException {
    DamagedTables.write(jobTable(), JOBS);
    DamagedTables.assertReadOrRefused(DamagedTables.write(taskTable(), text), this::readTables);
  }

  @Provide
  Arbitrary<String> jobs() {
    return DamagedTables.of(JOBS);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
  void jobsOfTheDerivedTables(@ForAll("jobs") String text) throws IOException {
    DamagedTables.write(taskTable(), TASKS);
    DamagedTables.assertReadOrRefused(DamagedTables.write(jobTable(), text), this::readTables);
  }

  private void readRaw(String damaged, String text) throws IOException {
    part("job_events", JOB_EVENTS);
    part("task_events", TASK_EVENTS);
    part("machine_events", MACHINE_EVENTS);
    DamagedTables.assertReadOrRefused(
        part(damaged, text),
        (file, badRows) -> {
          try (TraceReader reader = new Google2011Reader(directory, NODE, badRows)) {
            TraceFiles.readAll(reader);
          }
        });
  }

  private Path part(String table, String text) throws IOException {
    return DamagedTables.write(
        directory.resolve(table).resolve("part-00000-of-00500.csv.gz"), text);
  }

  private Path taskTable() {
    return directory.resolve("tasks_0.csv.gz");
  }

  private Path jobTable() {
    return directory.resolve("jobs_0.csv.gz");
  }

  private void readTables(Path file, BadRows badRows) throws IOException {
    try (TraceReader reader = new Google2011TableReader(directory, NODE, 100, badRows)) {
      TraceFiles.readAll(reader);
    }
  }
}
