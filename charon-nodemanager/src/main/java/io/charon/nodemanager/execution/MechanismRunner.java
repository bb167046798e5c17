/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.execution.ActionExecutor.WantedActions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tick of all mechanisms: each mechanism whose readings are fresh decides by the same
 * snapshot, then all actions are carried out. Does not need YARN: any source of snapshots can drive
 * it. Not thread-safe, except {@link #states()}.
 */
public final class MechanismRunner {
  private static final Logger LOG = LoggerFactory.getLogger(MechanismRunner.class);

  /** Time between two checks of what is missing (our choice): soon after a boot, and cheap. */
  private static final Duration BETWEEN_CHECKS = Duration.ofMinutes(1);

  /**
   * Decisions in a row without its readings after which the last values of a mechanism may be
   * outdated (our choice): readings are absent between their periods.
   */
  private static final int MAX_MISSED = 3;

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
   * @param outdated why what the report has measured is not of now; empty if it is. The limit still
   *     holds
   */
  public record State(
      String name,
      RegulatorMode mode,
      Optional<String> unavailable,
      MechanismReport report,
      String result,
      Optional<String> outdated) {
    /** Returns a value of the report; empty if it is not known, or not of now. */
    public OptionalDouble value(String quantity) {
      return outdated.isEmpty() || holds(quantity)
          ? report.value(quantity)
          : OptionalDouble.empty();
    }

    /** Returns whether a quantity holds until the next decision; others were measured. */
    private static boolean holds(String quantity) {
      return switch (quantity) {
        case MechanismReport.LIMIT,
            MechanismReport.CAPACITY,
            MechanismReport.MEAN,
            MechanismReport.DEVIATION,
            RegulatedLimit.PINNED ->
            true;
        default -> false;
      };
    }

    /**
     * Returns the facts of the report that hold; those of a mechanism that limits no amount were
     * measured.
     */
    public Optional<String> detail() {
      return report
          .detail()
          .filter(text -> outdated.isEmpty() || report.quantity(MechanismReport.LIMIT).isPresent());
    }
  }

  /** The runner's state of a mechanism. */
  private static final class Running {
    final Entry entry;
    volatile Optional<String> unable = Optional.empty();
    volatile boolean blind;
    boolean broken;
    int missed;
    OptionalLong decidedNanos = OptionalLong.empty();
    volatile State state;

    Running(Entry entry) {
      this.entry = entry;
      this.blind = !entry.mechanism().availability().isAvailable();
      show("");
    }

    /** Checks whether it has its readings and, in mode enforce, whether its limits can be set. */
    void check(ActionExecutor executor) {
      boolean sees = !blind || entry.mechanism().availability().isAvailable();
      if (sees && entry.mode() == RegulatorMode.ENFORCE) {
        unable =
            entry.mechanism().limits().stream()
                .flatMap(limit -> executor.unavailable(limit).stream())
                .findFirst();
      }
      if (blind) {
        show("");
      }
      blind = !sees; // last: from now on it decides, and the tick's thread shows it
    }

    /** Checks again what was missing, which may be there by now. */
    void checkAgain(ActionExecutor executor) {
      try {
        String before = lacks().orElse("");
        if (blind) {
          entry.mechanism().checkAgain();
        }
        check(executor);
        if (lacks().isEmpty()) {
          LOG.info("{} is available now; before: {}", entry.mechanism().name(), before);
        }
      } catch (RuntimeException e) {
        LOG.warn("cannot find out whether {} is available", entry.mechanism().name(), e);
      }
    }

    /** Returns what keeps it from working; empty if it works or is off. */
    Optional<String> lacks() {
      if (entry.mode() == RegulatorMode.OFF) {
        return Optional.empty();
      }
      return unable.or(() -> blind ? entry.mechanism().availability().missing() : Optional.empty());
    }

    void show(String result) {
      show(result, Optional.empty());
    }

    private void show(String result, Optional<String> outdated) {
      state =
          new State(
              entry.mechanism().name(),
              entry.mode(),
              unable.or(() -> entry.mechanism().availability().missing()),
              entry.mechanism().report(),
              result,
              outdated);
    }

    boolean isDue(long nanos) {
      return entry.mode() != RegulatorMode.OFF
          && !blind
          && (decidedNanos.isEmpty()
              || nanos - decidedNanos.getAsLong() >= entry.mechanism().period().toNanos());
    }

    /** Notes that it is due without its readings: after a while its last values are outdated. */
    void miss(long nanos) {
      missed++;
      if (decidedNanos.isPresent() && missed >= MAX_MISSED) {
        Duration age = Duration.ofNanos(nanos - decidedNanos.getAsLong());
        if (age.compareTo(ReadingAge.max(entry.mechanism().period())) >= 0) {
          String since = "its readings could not be taken for %d s".formatted(age.toSeconds());
          show(state.result(), Optional.of(since));
        }
      }
    }
  }

  private final List<Running> mechanisms;
  private final ActionExecutor executor;
  private final Executor background;
  private OptionalLong checkedNanos = OptionalLong.empty();

  /**
   * Creates a runner that has not started, and checks again on a thread of its own.
   *
   * @param entries the mechanisms; those that are off never decide
   * @param executor carries out their actions
   */
  public MechanismRunner(List<Entry> entries, ActionExecutor executor) {
    this(entries, executor, MechanismRunner::inThread);
  }

  /** Creates a runner that checks again what is missing by the given executor. */
  MechanismRunner(List<Entry> entries, ActionExecutor executor, Executor background) {
    this.mechanisms = entries.stream().map(Running::new).toList();
    this.executor = executor;
    this.background = background;
  }

  private static void inThread(Runnable checks) {
    Thread thread = new Thread(checks, "charon-check");
    thread.setDaemon(true);
    thread.start();
  }

  /** Checks which mechanisms can act on this machine. */
  public void start() {
    for (Running running : mechanisms) {
      running.check(executor);
      running.show("");
    }
  }

  /**
   * Checks again what was missing at the start: a boot goes on while the NodeManager starts. Not on
   * the tick's thread, because a helper's self-test may take seconds.
   */
  private void checkMissing(long nanos) {
    if (checkedNanos.isEmpty()) {
      checkedNanos = OptionalLong.of(nanos); // the start has just checked
    }
    if (nanos - checkedNanos.getAsLong() < BETWEEN_CHECKS.toNanos()) {
      return;
    }
    checkedNanos = OptionalLong.of(nanos);
    List<Running> lacking =
        mechanisms.stream().filter(running -> running.lacks().isPresent()).toList();
    if (!lacking.isEmpty()) {
      background.execute(() -> lacking.forEach(running -> running.checkAgain(executor)));
    }
  }

  /** Decides and acts. Never throws because of the machine. */
  public void tick(Snapshot seen) {
    checkMissing(seen.nanos());
    Map<Running, WantedActions> wishes = new LinkedHashMap<>();
    for (Running running : mechanisms) {
      if (!running.isDue(seen.nanos())) {
        continue;
      }
      if (!seen.hasAll(running.entry.mechanism().needs())) {
        running.miss(seen.nanos());
      } else {
        running.missed = 0;
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
