/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Basis;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Strictest;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what all mechanisms of a node want done: first what takes from best-effort, then what
 * gives to it, the latter not more often than a sample per second would, and kills last. Of several
 * who limit the same the strictest counts; a limit that holds is not set again. Every action leaves
 * a line in the audit. Whatever fails is counted, said once and tried again with the next decision;
 * nothing is ever thrown. Thread-safe.
 */
public final class ActionExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ActionExecutor.class);

  /** How long memory is taken back from one container at a time (ours). */
  private static final Duration RECLAIM_TIMEOUT = Duration.ofSeconds(10);

  private static final String OBSERVED = "not applied: observe";
  private static final long MEBIBYTE = 1024 * 1024;

  /**
   * What a mechanism wants.
   *
   * @param mechanism its name
   * @param mode what it may do
   * @param unable why nothing of it is carried out; empty if it is
   * @param actions what it wants done
   */
  public record Wish(
      String mechanism, RegulatorMode mode, Optional<String> unable, List<Action> actions) {
    private List<Action.SetLimit> limits() {
      return actions.stream()
          .filter(Action.SetLimit.class::isInstance)
          .map(Action.SetLimit.class::cast)
          .toList();
    }

    /** Why an action is not carried out; empty if it is. */
    private Optional<String> refusal() {
      return mode == RegulatorMode.ENFORCE
          ? unable.map(reason -> "not applied: " + reason)
          : Optional.of(OBSERVED);
    }
  }

  private record Ordered(Wish wish, Action.SetLimit wanted, Optional<String> refusal) {}

  private final DyingContainers dying;
  private final KillListener attribution;
  private final ContainerControl containers;
  private final LongSupplier nanoClock;
  private final Lanes lanes = new Lanes();
  private final ColdMemoryLane coldMemory;
  private final Audit audit;
  private final Counter failures;
  private final Map<String, LimitLines> lines = new HashMap<>();
  private final Map<String, Set<String>> observed = new HashMap<>();
  private final Map<Limit, Map<String, Action.SetLimit>> bids = new HashMap<>();
  private final LimitSetter limits;

  /**
   * An executor that has done nothing yet and can set no limit before {@link #use}.
   *
   * @param dying who is dying, by whose hand ever
   * @param attribution told before each kill
   * @param containers what can be done to them
   * @param audit takes a line of everything
   * @param failures counts what failed
   * @param nanoClock monotonic nanoseconds
   */
  public ActionExecutor(
      DyingContainers dying,
      KillListener attribution,
      ContainerControl containers,
      Audit audit,
      Counter failures,
      LongSupplier nanoClock) {
    this.dying = dying;
    this.attribution = attribution;
    this.containers = containers;
    this.audit = audit;
    this.failures = failures;
    this.limits = new LimitSetter(failures);
    this.coldMemory =
        new ColdMemoryLane(
            lanes,
            failures,
            (mechanism, mode, cold, result) ->
                audit.write(mechanism, mode, cold.basis(), cold.verb(), cold.target(), result));
    this.nanoClock = nanoClock;
  }

  /**
   * Limits are set by these from now on. What those of before set is taken away, and what an
   * earlier process of this node left behind.
   *
   * @param fresh every limit of which anything may have been left, whether it is wanted or not;
   *     taken away in their order
   */
  public synchronized void use(Map<Limit, Actuator> fresh) {
    forget();
    limits.use(fresh);
  }

  /** Why a limit cannot be set on this machine, with the cure; empty if it can. */
  public synchronized Optional<String> unavailable(Limit limit) {
    return limits.unavailable(limit);
  }

  /**
   * Carries out what several mechanisms want by the same readings.
   *
   * @param nanos when that was read, monotonic
   * @return what came of the limits, in words, by mechanism
   */
  public synchronized Map<String, String> execute(long nanos, List<Wish> wishes) {
    Map<String, String> results = new LinkedHashMap<>();
    wishes.forEach(this::bid);
    List<Ordered> all = new ArrayList<>();
    wishes.forEach(
        wish ->
            wish.limits()
                .forEach(wanted -> all.add(new Ordered(wish, wanted, refusal(wish, wanted)))));
    all.sort(Comparator.comparing(ordered -> limits.widens(ordered.wanted())));
    for (Ordered ordered : all) {
      String result = ordered.refusal().orElseGet(() -> limits.set(nanos, ordered.wanted()));
      lines(ordered).add(nanos, ordered.wish().mode(), ordered.wanted(), result);
      results.merge(ordered.wish().mechanism(), result, (one, other) -> one + "; " + other);
    }
    wishes.forEach(this::actOnContainers);
    return results;
  }

  private LimitLines lines(Ordered ordered) {
    String mechanism = ordered.wish().mechanism();
    return lines.computeIfAbsent(
        mechanism + " " + ordered.wanted().limit(), key -> new LimitLines(audit, mechanism));
  }

  /** What a mechanism allows holds until it decides again: not all decide as often. */
  private void bid(Wish wish) {
    for (Action.SetLimit wanted : wish.limits()) {
      Map<String, Action.SetLimit> all =
          bids.computeIfAbsent(wanted.limit(), limit -> new LinkedHashMap<>());
      if (wish.refusal().isEmpty() && wanted.founded()) {
        all.put(wish.mechanism(), wanted);
      } else {
        all.remove(wish.mechanism());
      }
    }
  }

  private Optional<String> refusal(Wish wish, Action.SetLimit wanted) {
    if (wish.refusal().isPresent()) {
      return wish.refusal();
    }
    if (!wanted.founded()) {
      return Optional.of("not applied: nothing was measured yet");
    }
    return Strictest.of(bids.get(wanted.limit()))
        .filter(mechanism -> !mechanism.equals(wish.mechanism()))
        .map(mechanism -> "not applied: " + mechanism + " allows less");
  }

  /** Kills for a limit only where that is set; says once what is observed or cannot be set. */
  private void actOnContainers(Wish wish) {
    List<Action> actions =
        wish.actions().stream().filter(action -> !(action instanceof Action.SetLimit)).toList();
    Set<String> said = observed.computeIfAbsent(wish.mechanism(), name -> new HashSet<>());
    said.retainAll(actions.stream().map(ActionExecutor::key).toList());
    boolean set = wish.limits().stream().allMatch(wanted -> limits.isKnown(wanted.limit()));
    for (Action action : actions) {
      if (action instanceof Action.ReclaimCold cold && wish.unable().isEmpty()) {
        coldMemory.take(
            wish.mechanism(), wish.mode(), limits.actuator(cold.limit()), cold, OBSERVED);
      } else if (wish.refusal().isPresent()) {
        if (said.add(key(action))) {
          leaveLine(wish.mechanism(), wish.mode(), action, wish.refusal().get());
        }
      } else if (action instanceof Action.Reclaim reclaim) {
        reclaim(wish.mechanism(), wish.mode(), reclaim, () -> true, bytes -> {});
      } else if (action instanceof Action.SetOfContainer) {
        Outcome outcome = carryOut(wish.mechanism(), action);
        if (outcome.done() || said.add(key(action))) {
          leaveLine(wish.mechanism(), wish.mode(), action, outcome.result());
        }
      } else if (set || !(action instanceof Action.Kill)) {
        perform(wish.mechanism(), wish.mode(), action);
      }
    }
  }

  private static String key(Action action) {
    return action.verb() + " " + action.target();
  }

  /**
   * Does something to one container at once, on the thread of the caller.
   *
   * @param mechanism who wants it
   * @param mode what that may do
   * @param action anything but a limit, and but {@link Action.Reclaim}
   */
  public Outcome perform(String mechanism, RegulatorMode mode, Action action) {
    Outcome outcome =
        mode == RegulatorMode.ENFORCE ? carryOut(mechanism, action) : Outcome.done(OBSERVED);
    leaveLine(mechanism, mode, action, outcome.result());
    return outcome;
  }

  private Outcome carryOut(String mechanism, Action action) {
    try {
      if (action instanceof Action.Kill kill) {
        return kill(mechanism, kill);
      }
      if (action instanceof Action.Freeze) {
        containers.freeze(action.target());
        return Outcome.done("applied: frozen");
      }
      if (action instanceof Action.Thaw) {
        containers.thaw(action.target());
        return Outcome.done("applied: it goes on");
      }
      if (action instanceof Action.SetOfContainer wanted) {
        return Outcome.done(limits.set(wanted));
      }
      throw new IllegalArgumentException(action.verb() + " is not done to one container at once");
    } catch (IOException e) {
      failures.inc();
      return new Outcome(Outcome.Kind.FAILED, "failed: " + e);
    }
  }

  private Outcome kill(String mechanism, Action.Kill kill) throws IOException {
    if (!dying.claim(kill.target(), kill.instead())) {
      return new Outcome(
          Outcome.Kind.REFUSED, "not applied: it is dying, or another one whose end may be enough");
    }
    attribution.aboutToKill(mechanism, kill.target(), kill.basis().reason());
    try {
      if (kill.grace().isZero()) {
        containers.kill(kill.target());
        return Outcome.done("applied: killed");
      }
      containers.terminate(kill.target());
      dying.asked(mechanism, kill);
      return Outcome.done("applied: asked to end within " + kill.grace().toMillis() + " ms");
    } catch (IOException e) {
      attribution.notKilled(kill.target());
      throw e;
    }
  }

  /** Kills those that were asked to end and have not within their grace. */
  public void killOverdue() {
    for (DyingContainers.Asked asked : dying.overdue()) {
      String result = "applied: killed, it did not end by itself";
      try {
        containers.kill(asked.kill().target());
      } catch (IOException e) {
        failures.inc();
        attribution.notKilled(asked.kill().target());
        result = "failed: " + e;
      }
      leaveLine(asked.mechanism(), RegulatorMode.ENFORCE, asked.kill(), result);
    }
  }

  /**
   * Takes memory of a frozen container back, on a lane of that container.
   *
   * @param goesOn whether that is still wanted
   * @param reclaimed told how many bytes went to swap, where it did not fail
   */
  public void reclaim(
      String mechanism,
      RegulatorMode mode,
      Action.Reclaim wanted,
      BooleanSupplier goesOn,
      LongConsumer reclaimed) {
    if (mode != RegulatorMode.ENFORCE) {
      reclaimed.accept(0);
      leaveLine(mechanism, mode, wanted, OBSERVED);
      return;
    }
    long untilNanos = nanoClock.getAsLong() + RECLAIM_TIMEOUT.toNanos();
    lanes.run(
        wanted.target(),
        () -> {
          String result;
          try {
            long bytes =
                containers.reclaim(
                    wanted.target(),
                    wanted.bytes(),
                    () -> goesOn.getAsBoolean() && nanoClock.getAsLong() - untilNanos < 0);
            reclaimed.accept(bytes);
            result = "applied: %d MiB went to swap".formatted(bytes / MEBIBYTE);
          } catch (IOException e) {
            failures.inc();
            result = "failed: " + e;
          }
          leaveLine(mechanism, mode, wanted, result);
        });
  }

  /** Counts that a mechanism could not decide. */
  void failed() {
    failures.inc();
  }

  /** Why no container can be frozen here, with the cure; empty if they can. */
  public Optional<String> cannotFreeze() {
    return containers.cannotFreeze();
  }

  /** Whether a container stands still, as far as that can be found out. */
  public boolean isFrozen(String containerId) {
    try {
      return containers.isFrozen(containerId);
    } catch (IOException e) {
      LOG.debug("nobody knows whether {} is frozen", containerId, e);
      return false;
    }
  }

  /** Whether a container was killed and is to be gone soon. */
  public boolean isDying(String containerId) {
    return dying.contains(containerId);
  }

  /** Leaves a line of an order to all of best-effort, which changes what others may do. */
  public void tell(String mechanism, String verb, Basis basis, String result) {
    if (result.startsWith("failed")) {
      failures.inc();
    }
    LOG.warn("{}: {}: {} ({})", mechanism, verb, result, basis.reason());
    audit.write(mechanism, RegulatorMode.ENFORCE, basis, verb, Action.BEST_EFFORT, result);
  }

  private void leaveLine(String mechanism, RegulatorMode mode, Action action, String result) {
    LOG.info(
        "{}: {} {}: {} ({})",
        mechanism,
        action.verb(),
        action.target(),
        result,
        action.basis().reason());
    audit.write(mechanism, mode, action.basis(), action.verb(), action.target(), result);
  }

  private void forget() {
    lines.values().forEach(LimitLines::flush);
    lines.clear();
    observed.clear();
    bids.clear();
  }

  /** Takes away whatever was set; the machine is as if no mechanism had ever run. */
  @Override
  public void close() {
    lanes.close();
    synchronized (this) {
      forget();
      limits.use(Map.of());
    }
  }
}
