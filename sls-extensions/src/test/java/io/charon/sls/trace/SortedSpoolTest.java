/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.workload.MemoryCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class SortedSpoolTest {
  @Property(tries = 50)
  void givesBackAllJobsInTheOrderOfTheirSubmission(
      @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 1000) Long> submissions)
      throws IOException {
    Path directory = Files.createTempDirectory("spool");
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < submissions.size(); i++) {
      jobs.add(job("job-%03d".formatted(i), submissions.get(i)));
    }
    List<TraceJob> first = new ArrayList<>();
    List<TraceJob> second = new ArrayList<>();
    try (SortedSpool spool = new SortedSpool(directory, 7)) {
      for (TraceJob job : jobs) {
        spool.add(job);
      }
      spool.forEach(first::add);
      spool.forEach(second::add);
    }
    jobs.sort(Comparator.comparingLong(TraceJob::submitMillis).thenComparing(TraceJob::id));
    assertThat(first).isEqualTo(jobs);
    assertThat(second).isEqualTo(jobs);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(directory);
  }

  private static TraceJob job(String id, long submit) {
    return new TraceJob(
        id,
        "name",
        "user",
        submit % 2 == 0 ? Tier.FREE : Tier.PRODUCTION,
        submit % 3 == 0,
        submit,
        List.of(
            new TaskBatch(3, 1000 + submit, 0.25, 60_000, 2, Optional.empty()),
            new TaskBatch(
                1,
                5000,
                1,
                30_000,
                0,
                Optional.of(
                    new MemoryCurve(
                        List.of(
                            new MemoryCurve.Point(0, 1, 2),
                            new MemoryCurve.Point(0.5, submit, 4, 5)))))));
  }
}
