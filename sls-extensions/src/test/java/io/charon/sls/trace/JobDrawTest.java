/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.sls.workload.Side;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class JobDrawTest {
  private static final Map<Side, Double> HALF_EACH =
      Map.of(Side.PRODUCTION, 0.5, Side.BEST_EFFORT, 0.5);

  private static TraceJob job(String id, Tier tier, boolean resident, int tasks) {
    return new TraceJob(
        id,
        id,
        "u",
        tier,
        resident,
        0,
        List.of(new TaskBatch(tasks, 10, 1, 10, 0, Optional.empty())));
  }

  @Test
  void takesResidentsOfProductionOnly() throws IOException {
    JobDraw draw = new JobDraw(new WorkloadRequest.Draw(2, 1), 1);
    List<TraceJob> jobs =
        List.of(
            job("a", Tier.PRODUCTION, true, 1),
            job("b", Tier.PRODUCTION, false, 1),
            job("c", Tier.FREE, true, 1),
            job("d", Tier.OTHER, false, 1));
    jobs.forEach(draw::add);
    draw.finish(HALF_EACH, 10_000);
    assertThat(jobs)
        .filteredOn(job -> draw.draw(job).isPresent())
        .extracting(TraceJob::id)
        .containsExactly("a", "b", "d");
  }

  @Test
  void limitsGiantJobsToTheShareOfTheCell() throws IOException {
    JobDraw draw = new JobDraw(new WorkloadRequest.Draw(2, 0), 1);
    TraceJob giant = job("giant", Tier.PRODUCTION, true, 1000);
    TraceJob small = job("small", Tier.PRODUCTION, true, 1);
    draw.add(giant);
    draw.add(small);
    draw.finish(HALF_EACH, 2200);
    assertThat(draw.draw(giant).orElseThrow().taskCount()).isEqualTo(10);
    assertThat(draw.draw(small).orElseThrow().taskCount()).isEqualTo(1);
    assertThat(draw.rules().get(0)).contains("at most 10 tasks each (1 jobs had more)", "0.500");
  }

  @Test
  void refusesWhatCannotBeDrawn() {
    JobDraw few = new JobDraw(new WorkloadRequest.Draw(2, 0), 1);
    few.add(job("a", Tier.PRODUCTION, true, 1));
    assertThatThrownBy(() -> few.finish(HALF_EACH, 1000))
        .hasMessage("the trace has 1 production jobs to draw from, not 2");
    JobDraw much = new JobDraw(new WorkloadRequest.Draw(1, 0), 1);
    much.add(job("a", Tier.PRODUCTION, true, 1));
    assertThatThrownBy(() -> much.finish(HALF_EACH, 100))
        .hasMessageContaining("even with one task each");
  }

  @Test
  void doesNotDependOnTheOrderOfTheTrace() throws IOException {
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(job("j" + i, Tier.FREE, false, 1));
    }
    JobDraw forwards = new JobDraw(new WorkloadRequest.Draw(0, 20), 9);
    jobs.forEach(forwards::add);
    forwards.finish(HALF_EACH, 1e9);
    JobDraw backwards = new JobDraw(new WorkloadRequest.Draw(0, 20), 9);
    for (int i = jobs.size() - 1; i >= 0; i--) {
      backwards.add(jobs.get(i));
    }
    backwards.finish(HALF_EACH, 1e9);
    assertThat(jobs).filteredOn(job -> forwards.draw(job).isPresent()).hasSize(20);
    assertThat(jobs)
        .allSatisfy(
            job ->
                assertThat(forwards.draw(job).isPresent())
                    .isEqualTo(backwards.draw(job).isPresent()));
  }

  @Property
  void aLimitedJobKeepsItsMixOfTasks(
      @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 5000) Integer> counts,
      @ForAll @IntRange(min = 1, max = 500) int limit) {
    List<TaskBatch> batches = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      batches.add(new TaskBatch(counts.get(i), i + 1, 1, 10, 0, Optional.empty()));
    }
    TraceJob job = new TraceJob("a", "a", "u", Tier.FREE, false, 0, batches);
    TraceJob limited = JobDraw.limited(job, limit);
    assertThat(limited.taskCount()).isEqualTo(Math.min(limit, job.taskCount()));
    for (TaskBatch batch : limited.batches()) {
      int before = counts.get((int) batch.requestedBytes() - 1);
      double fair = (double) before * limited.taskCount() / job.taskCount();
      assertThat((double) batch.count()).isBetween(Math.floor(fair), Math.floor(fair) + 1);
    }
  }
}
