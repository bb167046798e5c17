/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.machine.BackgroundThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Samples all containers of a cluster four times a second on a thread of its own, and records when
 * they start and end and how much they use. It observes processes from outside and therefore works
 * the same in every mode.
 */
public final class ContainerSampler implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final double NANOS_PER_SECOND = 1e9;

  private static final class Followed {
    private ContainerProcessSampler.Use first;
    private final List<ContainerTrace.Point> points = new ArrayList<>();
    private long lastNanos;
    private long goneNanos;
    private double livingSeconds;
    private double processorSeconds;

    /**
     * Adds the increase of processor time; the time of a process that has exited stays included.
     */
    private void used(double seconds) {
      processorSeconds += Math.max(0, seconds - livingSeconds);
      livingSeconds = seconds;
    }
  }

  private record MachinePoint(
      long nanos, ContainerProcessSampler.MachineTime time, double containersSeconds) {}

  private final ContainerProcessSampler processes;
  private final Map<String, Followed> containers = new LinkedHashMap<>();
  private final List<MachinePoint> machine = new ArrayList<>();
  private final long bootNanos;
  private BackgroundThread thread;

  private ContainerSampler(ContainerProcessSampler processes) throws IOException {
    this.processes = processes;
    this.bootNanos = System.nanoTime() - Math.round(processes.uptimeSeconds() * NANOS_PER_SECOND);
  }

  /**
   * Starts to sample.
   *
   * @param work directory of the cluster
   * @throws IOException if {@code /proc} cannot be read
   */
  public static ContainerSampler start(Path work) throws IOException {
    ContainerSampler sampler =
        new ContainerSampler(new ContainerProcessSampler(Path.of("/proc"), work));
    sampler.thread = BackgroundThread.start("container-sampler", sampler::watch);
    return sampler;
  }

  /**
   * Returns a trace of each container seen so far.
   *
   * @param originNanos origin of the traces' times, by {@link System#nanoTime}
   */
  public synchronized List<ContainerTrace> traces(long originNanos) {
    List<ContainerTrace> traces = new ArrayList<>();
    for (Followed followed : containers.values()) {
      ContainerProcessSampler.Use use = followed.first;
      boolean ended = followed.goneNanos != 0;
      double startNanos = bootNanos + use.startSeconds() * NANOS_PER_SECOND;
      // The container ended at some time between two samples.
      double endNanos =
          ended ? (followed.lastNanos / 2.0 + followed.goneNanos / 2.0) : followed.lastNanos;
      traces.add(
          new ContainerTrace(
              use.address(),
              use.role(),
              use.attempt(),
              (startNanos - originNanos) / NANOS_PER_SECOND,
              (endNanos - originNanos) / NANOS_PER_SECOND,
              ended,
              followed.points.stream()
                  .map(
                      point ->
                          new ContainerTrace.Point(
                              point.seconds() - originNanos / NANOS_PER_SECOND,
                              point.bytes(),
                              point.processorSeconds()))
                  .toList()));
    }
    return traces;
  }

  /** Returns whether a container of an application was present at the last sample. */
  synchronized boolean isRunning(String application) {
    return containers.values().stream()
        .anyMatch(
            followed ->
                followed.goneNanos == 0
                    && followed.first.address().application().equals(application));
  }

  /**
   * Returns the use of the processors between two instants; empty if fewer than two samples lie
   * between them.
   */
  public synchronized Optional<MachineLoad> machine(long fromNanos, long toNanos) {
    List<MachinePoint> within =
        machine.stream()
            .filter(point -> point.nanos() >= fromNanos && point.nanos() <= toNanos)
            .toList();
    if (within.size() < 2) {
      return Optional.empty();
    }
    MachinePoint first = within.get(0);
    MachinePoint last = within.get(within.size() - 1);
    return Optional.of(
        new MachineLoad(
            Runtime.getRuntime().availableProcessors(),
            (last.nanos() - first.nanos()) / NANOS_PER_SECOND,
            last.time().busySeconds() - first.time().busySeconds(),
            last.time().stolenSeconds() - first.time().stolenSeconds(),
            last.containersSeconds() - first.containersSeconds()));
  }

  private void watch() {
    long start = System.nanoTime();
    try {
      for (long look = 1; ; look++) {
        sample();
        TimeUnit.NANOSECONDS.sleep(start + look * PERIOD_NANOS - System.nanoTime());
      }
    } catch (InterruptedException over) {
      return;
    } catch (IOException e) {
      System.err.println("charon demo: containers cannot be followed: " + e);
    }
  }

  private void sample() throws IOException {
    Map<String, ContainerProcessSampler.Use> now = processes.containers();
    record(now, processes.machine(), System.nanoTime());
  }

  private synchronized void record(
      Map<String, ContainerProcessSampler.Use> now,
      ContainerProcessSampler.MachineTime time,
      long nowNanos) {
    now.forEach((id, use) -> containers.computeIfAbsent(id, unused -> new Followed()));
    double processorSeconds = 0;
    for (Map.Entry<String, Followed> container : containers.entrySet()) {
      Followed followed = container.getValue();
      ContainerProcessSampler.Use use = now.get(container.getKey());
      if (use != null) {
        follow(followed, use, nowNanos);
      } else if (followed.goneNanos == 0) {
        followed.goneNanos = nowNanos;
      }
      processorSeconds += followed.processorSeconds;
    }
    machine.add(new MachinePoint(nowNanos, time, processorSeconds));
  }

  private static void follow(Followed followed, ContainerProcessSampler.Use use, long nowNanos) {
    if (followed.first == null || followed.first.role() == ContainerTrace.Role.UNKNOWN) {
      followed.first = use;
    }
    followed.lastNanos = nowNanos;
    followed.goneNanos = 0;
    followed.used(use.processorSeconds());
    followed.points.add(
        new ContainerTrace.Point(
            nowNanos / NANOS_PER_SECOND, use.bytes(), followed.processorSeconds));
  }

  @Override
  public void close() {
    thread.close();
  }
}
