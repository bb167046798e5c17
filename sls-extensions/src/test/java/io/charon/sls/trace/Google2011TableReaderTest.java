/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static io.charon.sls.trace.TraceFiles.NODE;
import static io.charon.sls.trace.TraceFiles.gzip;
import static io.charon.sls.trace.TraceFiles.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Google2011TableReaderTest {
  private static final String TASKS =
      "job_id,task_index,class,priority,sched_class,cpu_req,mem_req,submit_s,first_sched_s,"
          + "last_sched_s,end_s,end_type,n_sched,n_evict,n_fail,machine_id,job_end_s,job_end_type";
  private static final String JOBS =
      "job_id,sched_class,logical_name_id,submit_s,sched_s,end_s,end_type";

  @TempDir private Path directory;

  private final BadRows badRows = new BadRows(false);

  private List<TraceJob> read(List<String> jobs, List<String> tasks) throws IOException {
    write(jobs, tasks);
    try (Google2011TableReader reader = new Google2011TableReader(directory, NODE, 100, badRows)) {
      return readAll(reader);
    }
  }

  private void write(List<String> jobs, List<String> tasks) {
    List<String> jobRows = new ArrayList<>(List.of(JOBS));
    jobRows.addAll(jobs);
    List<String> taskRows = new ArrayList<>(List.of(TASKS));
    taskRows.addAll(tasks);
    gzip(directory.resolve("jobs_day00.csv.gz"), jobRows);
    gzip(directory.resolve("tasks_0.csv.gz"), taskRows);
  }

  @Test
  void readsTasksWithTheNamesOfTheirJobs() throws IOException {
    List<TraceJob> jobs =
        read(
            List.of("1,3,88,0.0,0.0,,", "2,0,99,700.5,701,900,FINISH"),
            List.of(
                "1,0,production,9,3,0.1,0.2,0.0,0.0,0.0,,,1,0,0,5,,",
                "2,0,other,4,0,0.1,0.4,700.5,701.0,701.0,800.0,FINISH,1,0,0,5,900,FINISH",
                "2,1,other,4,0,0.1,0.4,700.5,,,,,0,0,0,,900,FINISH"));
    assertThat(jobs).extracting(TraceJob::id).containsExactlyInAnyOrder("1", "2");
    TraceJob resident = jobs.stream().filter(TraceJob::resident).findFirst().orElseThrow();
    assertThat(resident.name()).isEqualTo("88/3");
    assertThat(resident.batches().get(0).durationMillis()).isEqualTo(200_000);
    TraceJob other = jobs.stream().filter(job -> !job.resident()).findFirst().orElseThrow();
    assertThat(other.name()).isEqualTo("99/0");
    assertThat(other.submitMillis()).isEqualTo(100_500);
    assertThat(other.taskCount()).isEqualTo(1);
    assertThat(other.batches().get(0).durationMillis()).isEqualTo(99_000);
  }

  @Test
  void rowsThatMakeNoSenseAreNamed() throws IOException {
    List<TraceJob> jobs =
        read(
            List.of("2,0,99,700,701,900,FINISH"),
            List.of(
                "2,0,other,4,0,0.1,0.4,700,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,0,other,4,0,0.1,0.4,700,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,1,other,4,0,0.1,0.4,600,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,2,other,4,0,0.1,0.4,700,701,701,650,FINISH,1,0,0,5,900,FINISH",
                "2,3,other,4,0,3,0.4,700,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,4",
                "2,5,other,4,0,0.1,,700,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,6,other,4,0,0.1,-0.4,700,701,701,800,FINISH,1,0,0,5,900,FINISH",
                "2,7,other,4,0,0.1,0.4,700,701,701,1e99,FINISH,1,0,0,5,900,FINISH"));
    assertThat(jobs).singleElement().extracting(TraceJob::taskCount).isEqualTo(1);
    assertThat(badRows.first())
        .satisfiesExactly(
            row -> assertThat(row).contains("tasks_0.csv.gz:3", "a second time"),
            row -> assertThat(row).contains(":4", "time goes back"),
            row -> assertThat(row).contains(":5", "ends before it starts"),
            row -> assertThat(row).contains(":6", "of the largest machine"),
            row -> assertThat(row).contains(":7", "2 fields"),
            row -> assertThat(row).contains(":8", "no memory request"),
            row -> assertThat(row).contains(":9", "not negative"),
            row -> assertThat(row).contains(":10", "a time beyond 4000000000000 milliseconds"));
  }

  @Test
  void otherColumnsAreRefused() {
    gzip(directory.resolve("jobs_x.csv.gz"), List.of(JOBS));
    gzip(directory.resolve("tasks_x.csv.gz"), List.of("a,b,c"));
    assertThatThrownBy(() -> readAll(new Google2011TableReader(directory, NODE, 100, badRows)))
        .hasMessageContaining("tasks_x.csv.gz")
        .hasMessageContaining("the columns are [a, b, c]");
  }

  @Test
  void aMissingTableIsNamed() {
    gzip(directory.resolve("tasks_x.csv.gz"), List.of(TASKS));
    assertThatThrownBy(() -> new Google2011TableReader(directory, NODE, 100, badRows))
        .hasMessageContaining("no file jobs_*.csv.gz");
  }

  @Test
  void anEmptyTableIsRefused() {
    assertThatThrownBy(() -> read(List.of(), List.of())).hasMessageContaining("is empty");
  }
}
