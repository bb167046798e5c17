/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Strictest;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
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
 * Carries out the actions that all mechanisms of a node want: first what takes from best-effort, to
 * protect production and by limits, then what gives to it, limits at most once per second, and
 * kills last. If several mechanisms set the same limit, the strictest counts; a limit that holds is
 * not set again. Every action leaves a line in the audit. A failure is counted, logged once and
 * tried again with the next decision; it is never thrown. Thread-safe.
 */
public final class ActionExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ActionExecutor.class);

  /** Notified before a container is killed, so that its end is attributed. */
  @FunctionalInterface
  public interface KillListener {
    /** Handles a kill that a mechanism wants; the reason has the measured value and threshold. */
    void aboutToKill(String mechanism, String containerId, String reason);

    /** Handles a failed kill: a later end of the container has another cause. */
    default void notKilled(String containerId) {}
  }

  /**
   * The outcome of an action.
   *
   * @param kind whether it was done; in mode observe, whether it would have been
   * @param result a description of the outcome
   */
  public record Outcome(Kind kind, String result) {
    /** The kinds of outcomes. */
    public enum Kind {
      /** The action was done, or in mode observe would have been. */
      DONE,
      /** The action was not tried, because another one suffices. */
      REFUSED,
      /** The action was tried and failed. */
      FAILED
    }

    /** Returns whether the action was done. */
    public boolean done() {
      return kind == Kind.DONE;
    }

    private static Outcome done(String result) {
      return new Outcome(Kind.DONE, result);
    }
  }

  /**
   * The actions that a mechanism wants.
   *
   * @param mechanism its name
   * @param mode its mode
   * @param unable why none of its actions is carried out; empty if they are
   * @param actions the wanted actions
   */
  public record WantedActions(
      String mechanism, RegulatorMode mode, Optional<String> unable, List<Action> actions) {
    private List<Action.SetLimit> limits() {
      return actions.stream()
          .filter(Action.SetLimit.class::isInstance)
          .map(Action.SetLimit.class::cast)
          .toList();
    }

    /** Returns why actions are not carried out; empty if they are. */
    Optional<String> refusal() {
      return mode == RegulatorMode.ENFORCE
          ? unable.map(reason -> "not applied: " + reason)
          : Optional.of(LimitSetter.OBSERVED);
    }
  }

  private record Ordered(WantedActions wish, Action.SetLimit wanted, Optional<String> refusal) {}

  private final DyingContainers dying;
  private final KillListener attribution;
  private final ContainerControl containers;
  private final ReclaimLanes lanes;
  private final Audit audit;
  private final Counter failures;
  private final Map<String, LimitLines> lines = new HashMap<>();
  private final Map<String, Set<String>> observed = new HashMap<>();
  private final Map<Limit, Map<String, Action.SetLimit>> bids = new HashMap<>();
  private final LimitSetter limits;
  private final ProtectionSetter protection;

  /**
   * Creates an executor that has done nothing, and can set no limit before {@link #use}.
   *
   * @param dying containers that are ending for any reason
   * @param attribution called before each kill
   * @param containers acts on containers
   * @param audit receives a line for every action
   * @param failures counts failures
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
    this.protection = new ProtectionSetter(limits, audit, failures);
    this.lanes =
        new ReclaimLanes(
            containers,
            failures,
            nanoClock,
            (mechanism, mode, cold, result) ->
                audit.write(mechanism, mode, cold.basis(), cold.verb(), cold.target(), result),
            this::writeAuditLine);
  }

  /**
   * Replaces the actuators. Limits that the old ones set are removed, and so is anything that an
   * earlier process of this node left behind.
   *
   * @param fresh an actuator for every limit that may have been left behind, whether it is wanted
   *     or not; limits are removed in this order
   */
  public synchronized void use(Map<Limit, Actuator> fresh) {
    forget();
    limits.use(fresh);
  }

  /** Returns why a limit cannot be set, with the cure; empty if it can. May take seconds. */
  public Optional<String> unavailable(Limit limit) {
    return limits.unavailable(limit);
  }

  /**
   * Carries out the actions that several mechanisms want, based on the same readings.
   *
   * @param nanos time of the readings, monotonic
   * @return the results of the limits, as text by mechanism
   */
  public synchronized Map<String, String> execute(long nanos, List<WantedActions> wishes) {
    Map<String, String> results = new LinkedHashMap<>();
    wishes.forEach(this::bid);
    List<Ordered> all = new ArrayList<>();
    for (WantedActions wish : wishes) {
      wish.limits().forEach(wanted -> all.add(new Ordered(wish, wanted, refusal(wish, wanted))));
    }
    protection.take(nanos, wishes);
    all.sort(Comparator.comparing(ordered -> limits.widens(ordered.wanted())));
    for (Ordered ordered : all) {
      String result = ordered.refusal().orElseGet(() -> limits.set(nanos, ordered.wanted()));
      lines
          .computeIfAbsent(
              ordered.wish().mechanism() + " " + ordered.wanted().limit(),
              key -> new LimitLines(audit, ordered.wish().mechanism()))
          .add(nanos, ordered.wish().mode(), ordered.wanted(), result);
      results.merge(ordered.wish().mechanism(), result, (one, other) -> one + "; " + other);
    }
    protection.give(nanos, wishes);
    wishes.forEach(this::actOnContainers);
    return results;
  }

  /**
   * Keeps a mechanism's limit until it decides again, because mechanisms have different periods.
   */
  private void bid(WantedActions wish) {
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

  private Optional<String> refusal(WantedActions wish, Action.SetLimit wanted) {
    if (!wanted.founded()) {
      return Optional.of("not applied: no measurement yet");
    }
    if (wish.refusal().isPresent()) {
      return wish.refusal();
    }
    return Strictest.of(bids.get(wanted.limit()))
        .filter(mechanism -> !mechanism.equals(wish.mechanism()))
        .map(mechanism -> "not applied: " + mechanism + " sets a lower limit");
  }

  /** Kills for a limit only if the limit is set; audits actions not carried out only once. */
  private void actOnContainers(WantedActions wish) {
    List<Action> actions =
        wish.actions().stream()
            .filter(it -> !(it instanceof Action.SetLimit || it instanceof Action.Protect))
            .toList();
    Set<String> said = observed.computeIfAbsent(wish.mechanism(), name -> new HashSet<>());
    said.retainAll(actions.stream().map(Action::summary).toList());
    boolean set = wish.limits().stream().allMatch(wanted -> limits.isKnown(wanted.limit()));
    for (Action action : actions) {
      if (action instanceof Action.ReclaimCold cold && wish.unable().isEmpty()) {
        lanes.reclaim(wish.mechanism(), wish.mode(), cold, limits.actuator(cold.limit()));
      } else if (wish.refusal().isPresent()) {
        if (said.add(action.summary())) {
          writeAuditLine(wish.mechanism(), wish.mode(), action, wish.refusal().get());
        }
      } else if (action instanceof Action.Reclaim reclaim) {
        reclaim(wish.mechanism(), wish.mode(), reclaim, () -> true, bytes -> {});
      } else if (action instanceof Action.ContainerSetting) {
        Outcome outcome = carryOut(wish.mechanism(), action);
        if (outcome.done() || said.add(action.summary())) {
          writeAuditLine(wish.mechanism(), wish.mode(), action, outcome.result());
        }
      } else if (set || !(action instanceof Action.Kill)) {
        perform(wish.mechanism(), wish.mode(), action);
      }
    }
  }

  /**
   * Acts on one container at once, on the caller's thread.
   *
   * @param mechanism the mechanism that wants the action
   * @param mode the mechanism's mode
   * @param action any action except limits and {@link Action.Reclaim}
   */
  public Outcome perform(String mechanism, RegulatorMode mode, Action action) {
    Outcome outcome =
        mode == RegulatorMode.ENFORCE
            ? carryOut(mechanism, action)
            : Outcome.done(LimitSetter.OBSERVED);
    writeAuditLine(mechanism, mode, action, outcome.result());
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
        return Outcome.done("applied: thawed");
      }
      if (action instanceof Action.ContainerSetting wanted) {
        return Outcome.done(limits.set(wanted));
      }
      throw new IllegalArgumentException(action.verb() + " is not an action on a single container");
    } catch (IOException e) {
      failures.inc();
      return new Outcome(Outcome.Kind.FAILED, "failed: " + e);
    }
  }

  private Outcome kill(String mechanism, Action.Kill kill) throws IOException {
    if (!dying.claim(kill.target(), kill.instead())) {
      return new Outcome(
          Outcome.Kind.REFUSED,
          "not applied: the container is being killed, or another one is that may release enough");
    }
    attribution.aboutToKill(mechanism, kill.target(), kill.basis().reason());
    try {
      if (kill.grace().isZero()) {
        containers.killer().kill(kill.target());
        return Outcome.done("applied: killed");
      }
      dying.asked(mechanism, kill); // before it can have ended
      containers.killer().terminate(kill.target());
      return Outcome.done("applied: asked to end within " + kill.grace().toMillis() + " ms");
    } catch (IOException e) {
      dying.notAsked(kill.target());
      attribution.notKilled(kill.target());
      throw e;
    }
  }

  /** Kills containers that were asked to end and have not ended within their grace period. */
  public void killOverdue() {
    for (DyingContainers.Asked asked : dying.overdue()) {
      String result = "applied: killed, because it did not end in time";
      try {
        containers.killer().kill(asked.kill().target());
      } catch (IOException e) {
        failures.inc();
        attribution.notKilled(asked.kill().target());
        result = "failed: " + e;
      }
      writeAuditLine(asked.mechanism(), RegulatorMode.ENFORCE, asked.kill(), result);
    }
  }

  /**
   * Reclaims memory from a frozen container, in that container's lane.
   *
   * @param stillWanted whether reclaim is still wanted
   * @param reclaimed receives the number of bytes that went to swap, unless reclaim failed
   */
  public void reclaim(
      String mechanism,
      RegulatorMode mode,
      Action.Reclaim wanted,
      BooleanSupplier stillWanted,
      LongConsumer reclaimed) {
    lanes.reclaim(mechanism, mode, wanted, stillWanted, reclaimed);
  }

  /** Counts a mechanism's failure to decide. */
  void failed() {
    failures.inc();
  }

  /** Returns why no container can be frozen here, with the cure; empty if they can. */
  public Optional<String> cannotFreeze() {
    return containers.cannotFreeze();
  }

  /** Returns whether a container is frozen; false if that cannot be found out. */
  public boolean isFrozen(String containerId) {
    try {
      return containers.isFrozen(containerId);
    } catch (IOException e) {
      LOG.debug("cannot find out whether {} is frozen", containerId, e);
      return false;
    }
  }

  /** Returns whether a container was killed and is expected to end soon. */
  public boolean isDying(String containerId) {
    return dying.contains(containerId);
  }

  /** Audits an order to all of best-effort, which changes what other components may do. */
  public void audit(String mechanism, String verb, Basis basis, String result) {
    if (result.startsWith("failed")) {
      failures.inc();
    }
    LOG.warn("{}: {}: {} ({})", mechanism, verb, result, basis.reason());
    audit.write(mechanism, RegulatorMode.ENFORCE, basis, verb, Action.BEST_EFFORT, result);
  }

  private void writeAuditLine(String mechanism, RegulatorMode mode, Action action, String result) {
    LOG.info("{}: {}: {} ({})", mechanism, action.summary(), result, action.basis().reason());
    audit.write(mechanism, mode, action.basis(), action.verb(), action.target(), result);
  }

  private void forget() {
    lines.values().forEach(LimitLines::flush);
    lines.clear();
    protection.forget();
    observed.clear();
    bids.clear();
  }

  /** Removes everything that was set; the machine is as if no mechanism had ever run. */
  @Override
  public void close() {
    lanes.close();
    synchronized (this) {
      forget();
      limits.use(Map.of());
    }
  }
}
