/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.helper.Helper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the foreground's instructions per cycle since the previous tick (Scavenger, section
 * 4.4): those of the node minus those of best-effort, or the sum over the foreground's cgroups. The
 * helper {@code ua-killer counters} counts them, because this process has no privilege to do so.
 * Not thread-safe.
 */
final class InstructionsSensor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(InstructionsSensor.class);

  /**
   * Shortest time between two starts of the helper (our choice). It bounds the cost of a helper
   * that fails at once, and delays the counting of a new foreground cgroup or by a new program.
   */
  private static final Duration STARTS_APART = Duration.ofSeconds(10);

  private static final String NO_HIERARCHY =
      "no cgroup hierarchy supports perf events: mount cgroup v2, or the v1 controller perf_event";
  private static final String FIRST = "a ratio needs two readings";

  private final NodeSides sides;
  private final Helper helper;
  private final LongSupplier nanoClock;
  private Optional<CountingProcess> counting = Optional.empty();
  private List<Cgroup> counted = List.of();
  private Optional<Object> program = Optional.empty();
  private boolean started;
  private long startedNanos;
  private boolean first;
  private String failure = "";

  /** A cgroup that is created anew under the same path has another key. */
  private record Cgroup(Path path, Object key) {
    static Optional<Cgroup> at(Path path) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return Optional.of(new Cgroup(path, Objects.requireNonNullElse(attributes.fileKey(), "")));
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }

  InstructionsSensor(NodeSides sides, Helper helper, LongSupplier nanoClock) {
    this.sides = sides;
    this.helper = helper;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns why this machine lacks the signal, with the cure; empty if it has it. Runs the helper.
   */
  Optional<String> unavailable() {
    Optional<CgroupHierarchy> hierarchy = sides.perfEvents();
    if (hierarchy.isEmpty()) {
      return Optional.of(NO_HIERARCHY);
    }
    if (helper.unavailable().isPresent()) {
      return helper.unavailable();
    }
    try {
      // Tests with best-effort's parent only, since cgroups of the foreground come and go.
      Helper.Answer answer =
          helper.call(words(List.of("self-test"), sides.bestEffort(hierarchy.get()), List.of()));
      return answer.isDone()
          ? Optional.empty()
          : Optional.of(helper.withCapabilityHint(answer.text()));
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static List<String> words(List<String> more, Path bestEffort, List<Path> foreground) {
    List<String> words = new ArrayList<>(List.of("counters"));
    words.addAll(more);
    words.addAll(List.of("--cgroup", bestEffort.toString()));
    foreground.forEach(cgroup -> words.addAll(List.of("--foreground", cgroup.toString())));
    return words;
  }

  /**
   * Returns the ratio, and starts the helper if none is running. Takes at most the time of one
   * answer.
   */
  Measurement read(long nanos) {
    Optional<CgroupHierarchy> hierarchy = sides.perfEvents();
    if (hierarchy.isEmpty()) {
      return Measurement.missing(NO_HIERARCHY);
    }
    List<Path> foreground =
        sides.isNarrowed()
            ? sides.foreground(hierarchy.get()).stream().sorted().toList()
            : List.of();
    if (sides.isNarrowed() && foreground.isEmpty()) {
      return Measurement.missing("no cgroup of the foreground exists");
    }
    Path bestEffort = sides.bestEffort(hierarchy.get());
    List<Cgroup> wanted = new ArrayList<>();
    Cgroup.at(bestEffort).ifPresent(wanted::add);
    foreground.forEach(path -> Cgroup.at(path).ifPresent(wanted::add));
    boolean mayStart = !started || nanos - startedNanos >= STARTS_APART.toNanos();
    boolean outdated = !wanted.equals(counted) || helper.isReplacedSince(program);
    if (mayStart && (counting.isEmpty() || outdated)) {
      start(nanos, bestEffort, foreground);
      counted = List.copyOf(wanted);
    }
    return counting.isEmpty() ? Measurement.missing(failure) : ask();
  }

  private void start(long nanos, Path bestEffort, List<Path> foreground) {
    close();
    started = true;
    startedNanos = nanos;
    program = helper.installed();
    try {
      Process process = helper.start(words(List.of(), bestEffort, foreground));
      counting = Optional.of(new CountingProcess(process, helper.timeout(), nanoClock));
      first = true;
    } catch (IOException e) {
      fail(e.getMessage());
    }
  }

  private Measurement ask() {
    try {
      CountingProcess.Counts counts = counting.orElseThrow().ask();
      Measurement measurement = first ? Measurement.missing(FIRST) : ratio(counts);
      first = false;
      failure = "";
      return measurement;
    } catch (IOException e) {
      fail(helper.withCapabilityHint(e.getMessage()));
      return Measurement.missing(failure);
    }
  }

  private static Measurement ratio(CountingProcess.Counts counts) {
    if (counts.hadNanos() < counts.wantedNanos() / 2) {
      return Measurement.missing(
          "the hardware counters were used by other processes most of the time");
    }
    return counts.cycles() == 0
        ? Measurement.missing("the foreground did not run")
        : Measurement.of((double) counts.instructions() / counts.cycles());
  }

  private void fail(String reason) {
    close();
    if (!failure.equals(reason)) {
      LOG.warn(
          "instructions of the foreground cannot be counted: {}; retried every {} s",
          reason,
          STARTS_APART.toSeconds());
    }
    failure = reason;
  }

  /** Terminates the helper. */
  @Override
  public void close() {
    counting.ifPresent(CountingProcess::close);
    counting = Optional.empty();
  }
}
