/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.execution.ActionExecutor.WantedActions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tick of all mechanisms: each mechanism whose readings are fresh decides by the same
 * snapshot, then all actions are carried out. Does not need YARN: any source of snapshots can drive
 * it. Not thread-safe, except {@link #states()}.
 */
public final class MechanismRunner {
  private static final Logger LOG = LoggerFactory.getLogger(MechanismRunner.class);

  /**
   * A mechanism on this node.
   *
   * @param mechanism the mechanism
   * @param mode its mode
   */
  public record Entry(Mechanism mechanism, RegulatorMode mode) {}

  /**
   * The state of a mechanism, for status pages.
   *
   * @param name its name
   * @param mode its mode
   * @param unavailable why it cannot work on this machine, with the cure; empty if it can
   * @param report its last decision, with the inputs
   * @param result the result of its limit; empty before the first decision
   */
  public record State(
      String name,
      RegulatorMode mode,
      Optional<String> unavailable,
      MechanismReport report,
      String result) {}

  /** The runner's state of a mechanism. */
  private static final class Running {
    final Entry entry;
    Optional<String> unable = Optional.empty();
    boolean blind;
    boolean broken;
    OptionalLong decidedNanos = OptionalLong.empty();
    volatile State state;

    Running(Entry entry) {
      this.entry = entry;
      this.blind = !entry.mechanism().availability().isAvailable();
      show("");
    }

    void show(String result) {
      state =
          new State(
              entry.mechanism().name(),
              entry.mode(),
              unable.or(() -> entry.mechanism().availability().missing()),
              entry.mechanism().report(),
              result);
    }

    boolean isDue(Snapshot seen) {
      return entry.mode() != RegulatorMode.OFF
          && !blind
          && seen.hasAll(entry.mechanism().needs())
          && (decidedNanos.isEmpty()
              || seen.nanos() - decidedNanos.getAsLong() >= entry.mechanism().period().toNanos());
    }
  }

  private final List<Running> mechanisms;
  private final ActionExecutor executor;

  /**
   * Creates a runner that has not started.
   *
   * @param entries the mechanisms; those that are off never decide
   * @param executor carries out their actions
   */
  public MechanismRunner(List<Entry> entries, ActionExecutor executor) {
    this.mechanisms = entries.stream().map(Running::new).toList();
    this.executor = executor;
  }

  /** Checks which mechanisms can act on this machine. */
  public void start() {
    for (Running running : mechanisms) {
      if (running.entry.mode() == RegulatorMode.ENFORCE && !running.blind) {
        running.unable =
            running.entry.mechanism().limits().stream()
                .flatMap(limit -> executor.unavailable(limit).stream())
                .findFirst();
      }
      running.show("");
    }
  }

  /** Decides and acts. Never throws because of the machine. */
  public void tick(Snapshot seen) {
    Map<Running, WantedActions> wishes = new LinkedHashMap<>();
    for (Running running : mechanisms) {
      if (running.isDue(seen)) {
        running.decidedNanos = OptionalLong.of(seen.nanos());
        wishes.put(
            running,
            new WantedActions(
                running.entry.mechanism().name(),
                running.entry.mode(),
                running.unable,
                decide(running, seen)));
      }
    }
    Map<String, String> results = executor.execute(seen.nanos(), new ArrayList<>(wishes.values()));
    // Shown last, so that the audit receives the line before the status shows the result.
    wishes.forEach((running, wish) -> running.show(results.getOrDefault(wish.mechanism(), "")));
  }

  /**
   * Returns a mechanism's decision; none if it fails, which does not affect the other mechanisms.
   */
  private List<Action> decide(Running running, Snapshot seen) {
    Mechanism mechanism = running.entry.mechanism();
    try {
      List<Action> wanted = mechanism.decide(seen);
      running.broken = false;
      return wanted;
    } catch (RuntimeException e) {
      executor.failed();
      if (!running.broken) {
        LOG.warn("{} cannot decide; retried at each tick (logged once)", mechanism.name(), e);
      }
      running.broken = true;
      return List.of();
    }
  }

  /** Returns the state of every mechanism. */
  public List<State> states() {
    return mechanisms.stream().map(running -> running.state).toList();
  }
}
