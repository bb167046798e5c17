/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several runs in parallel. Runs share no state that affects a decision, so the results are the
 * same as those of sequential runs. For each seed, production alone is run as well, because
 * slowdowns are relative to it.
 */
public final class Experiment {
  private final List<RunSettings> settings;
  private final WorkloadOpener workload;
  private final Map<RunSettings, RunProgress> progress = new LinkedHashMap<>();

  /**
   * Prepares the runs.
   *
   * @param settings the runs, without duplicates
   * @param workload opened once by each run
   */
  public Experiment(List<RunSettings> settings, WorkloadOpener workload) {
    this.settings = List.copyOf(settings);
    this.workload = workload;
    for (RunSettings run : this.settings) {
      progress.put(alone(run), new RunProgress());
    }
    for (RunSettings run : this.settings) {
      progress.put(run, new RunProgress());
    }
  }

  /**
   * Returns the progress of each run, in the order in which they start; those of production alone
   * come first.
   */
  public Map<RunSettings, RunProgress> progress() {
    return Collections.unmodifiableMap(progress);
  }

  /** Ends all runs soon; their results are partial. */
  public void interrupt() {
    progress.values().forEach(RunProgress::interrupt);
  }

  /**
   * Runs everything.
   *
   * @param threads number of parallel runs, at least 1
   * @return a result for each setting, in their order
   * @throws IOException if the workload cannot be read
   */
  public List<ComparedRun> run(int threads) throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      Map<RunSettings, Future<RunResult>> futures = new LinkedHashMap<>();
      progress.forEach(
          (run, itsProgress) ->
              futures.put(
                  run, executor.submit(() -> SimulationRun.run(run, workload, itsProgress))));
      List<ComparedRun> results = new ArrayList<>();
      for (RunSettings run : settings) {
        results.add(new ComparedRun(get(futures.get(run)), get(futures.get(alone(run)))));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private static RunResult get(Future<RunResult> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException unreadable) {
        throw unreadable;
      }
      throw new IllegalStateException("a run failed: " + e.getCause(), e.getCause());
    }
  }

  /** Production is the same at every load, so one run for each seed is enough. */
  private static RunSettings alone(RunSettings run) {
    return new RunSettings(
        Policy.PRODUCTION_ALONE,
        1,
        run.seed(),
        run.cluster(),
        run.policies(),
        run.thrash(),
        run.afterLastSubmission());
  }
}
