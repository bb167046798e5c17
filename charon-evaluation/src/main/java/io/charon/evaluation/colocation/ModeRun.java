/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Runs one mode of a scenario with agent, background and foreground, and measures them together.
 */
final class ModeRun {
  private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(500);

  /** Progress of agent and background at one moment. */
  private record Mark(long nanos, long work, ShippedAgent.Count agent) {}

  private final Scenario scenario;
  private final ColocationMode mode;
  private final Optional<Path> audit;
  private final ColocatedTasks tasks;

  /**
   * Prepares a run.
   *
   * @param audit directory for the actions of the regulators; empty for none
   */
  ModeRun(Scenario scenario, ColocationMode mode, Optional<Path> audit) {
    this.scenario = scenario;
    this.mode = mode;
    this.audit = audit;
    this.tasks = scenario.tasks();
  }

  /**
   * Runs the mode from start to end and removes the background.
   *
   * @param repetition number of the repetition, from 0; the load depends only on it
   */
  RunMeasurement run(int repetition) throws IOException, InterruptedException {
    if (!mode.hasBackground()) {
      return measure(repetition, Optional.empty());
    }
    try (ShippedAgent agent = ShippedAgent.start(scenario, mode, tasks, audit)) {
      return measure(repetition, Optional.of(agent));
    } finally {
      tasks.end();
    }
  }

  private RunMeasurement measure(int repetition, Optional<ShippedAgent> agent)
      throws IOException, InterruptedException {
    Duration settle = scenario.times().settle(mode);
    Optional<Scenario.Foreground> foreground =
        mode.hasForeground()
            ? Optional.of(scenario.startForeground(repetition, settle))
            : Optional.empty();
    long start = foreground.map(Scenario.Foreground::startNanos).orElseGet(System::nanoTime);
    sleepUntil(start + settle.toNanos());
    Mark from = mark(agent);
    Utilization utilization = scenario.startUtilization();
    long end = start + settle.plus(scenario.times().measured()).toNanos();
    while (System.nanoTime() - end < 0) {
      utilization.sample();
      sleepUntil(Math.min(end, System.nanoTime() + BETWEEN_SAMPLES.toNanos()));
    }
    double share = utilization.share();
    Mark to = mark(agent);
    Requests requests = foreground.isPresent() ? foreground.get().finish() : Requests.NONE;
    double seconds = (to.nanos() - from.nanos()) / 1e9;
    return new RunMeasurement(
        mode.name(),
        repetition,
        requests.between(start + settle.toNanos(), end),
        requests.answeredBetween(from.nanos(), to.nanos()) / seconds,
        (to.work() - from.work()) / seconds,
        share,
        new RunMeasurement.Agent(
            to.agent().violations() - from.agent().violations(),
            tasks.kills(),
            agent.isPresent()
                ? OptionalDouble.of(
                    (to.agent().cpuNanos() - from.agent().cpuNanos()) / seconds / 1e9 * 100)
                : OptionalDouble.empty()));
  }

  private Mark mark(Optional<ShippedAgent> agent) throws IOException {
    return new Mark(
        System.nanoTime(),
        agent.isPresent() ? scenario.done(tasks) : 0,
        agent.isPresent() ? agent.get().count() : ShippedAgent.Count.NONE);
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
