/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Strictest;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** The laws are made for a sample per second; a tick may be a little early. */
  private static final Duration BETWEEN_WIDENINGS = Duration.ofMillis(900);

  /** A limit is set again now and then, because others may have changed it (ours). */
  private static final Duration HOLDS_UNSEEN = Duration.ofSeconds(10);

  /** Told before a container is killed, so that its end is attributed. */
  @FunctionalInterface
  public interface KillListener {
    /**
     * A container is about to be killed.
     *
     * @param mechanism who wants it
     * @param containerId the victim
     * @param reason the measured value and the threshold
     */
    void aboutToKill(String mechanism, String containerId, String reason);
  }

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
    private <A extends Action> List<A> all(Class<A> type) {
      return actions.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Why an action is not carried out; empty if it is. */
    private Optional<String> refusal() {
      return mode == RegulatorMode.ENFORCE
          ? unable.map(reason -> "not applied: " + reason)
          : Optional.of("not applied: observe");
    }
  }

  /** What is known of one limit. */
  private static final class Applied {
    boolean known;
    Optional<Action.SetLimit> holding = Optional.empty();
    long nanos;
    long widenedNanos;
    boolean everWidened;
    boolean warned;
    String text = "";
  }

  private record Ordered(Wish wish, Action.SetLimit wanted, Optional<String> refusal) {}

  private final DyingContainers dying;
  private final KillListener attribution;
  private final ContainerKiller killer;
  private final Audit audit;
  private final Counter failures;
  private final Map<Limit, Applied> applied = new EnumMap<>(Limit.class);
  private final Map<String, LimitLines> lines = new HashMap<>();
  private final Map<String, Set<String>> wouldBeDead = new HashMap<>();
  private final Map<Limit, Actuator> actuators = new EnumMap<>(Limit.class);

  /**
   * An executor that has done nothing yet and can set no limit before {@link #use}.
   *
   * @param dying who is dying, by whose hand ever
   * @param attribution told before each kill
   * @param killer carries kills out
   * @param audit takes a line of everything
   * @param failures counts what failed
   */
  public ActionExecutor(
      DyingContainers dying,
      KillListener attribution,
      ContainerKiller killer,
      Audit audit,
      Counter failures) {
    this.dying = dying;
    this.attribution = attribution;
    this.killer = killer;
    this.audit = audit;
    this.failures = failures;
  }

  /**
   * Limits are set by these from now on. What those of before set is taken away, and what an
   * earlier process of this node left behind.
   *
   * @param fresh every limit of which anything may have been left, whether it is wanted or not
   */
  public synchronized void use(Map<Limit, Actuator> fresh) {
    undo();
    actuators.clear();
    actuators.putAll(fresh);
    undo();
  }

  /** Why a limit cannot be set on this machine, with the cure; empty if it can. */
  public synchronized Optional<String> unavailable(Limit limit) {
    return actuator(limit).unavailable();
  }

  private Actuator actuator(Limit limit) {
    return Optional.ofNullable(actuators.get(limit))
        .orElseGet(() -> Actuator.missing("nothing here sets a limit of " + limit));
  }

  /**
   * Carries out what several mechanisms want by the same readings.
   *
   * @param nanos when that was read, monotonic
   * @return what came of the limits, in words, by mechanism
   */
  public synchronized Map<String, String> execute(long nanos, List<Wish> wishes) {
    Map<String, String> results = new LinkedHashMap<>();
    List<Ordered> limits = new ArrayList<>();
    wishes.forEach(
        wish ->
            wish.all(Action.SetLimit.class)
                .forEach(
                    wanted ->
                        limits.add(new Ordered(wish, wanted, refusal(wish, wanted, wishes)))));
    limits.sort(Comparator.comparing(this::widens));
    for (Ordered ordered : limits) {
      String result = ordered.refusal().orElseGet(() -> set(nanos, ordered.wanted()));
      lines(ordered.wish().mechanism()).add(nanos, ordered.wish().mode(), ordered.wanted(), result);
      results.put(ordered.wish().mechanism(), result);
    }
    wishes.forEach(this::kill);
    return results;
  }

  private LimitLines lines(String mechanism) {
    return lines.computeIfAbsent(mechanism, name -> new LimitLines(audit, name));
  }

  private static Optional<String> refusal(Wish wish, Action.SetLimit wanted, List<Wish> wishes) {
    Optional<String> refusal =
        wish.refusal()
            .or(
                () ->
                    wanted.founded()
                        ? Optional.empty()
                        : Optional.of("not applied: nothing was measured yet"));
    return refusal.or(
        () ->
            binding(wanted.limit(), wishes)
                .filter(bid -> !bid.mechanism().equals(wish.mechanism()))
                .map(bid -> "not applied: " + bid.mechanism() + " allows less"));
  }

  private static Optional<Strictest.Bid> binding(Limit limit, List<Wish> wishes) {
    return Strictest.of(
        wishes.stream()
            .filter(wish -> wish.refusal().isEmpty())
            .flatMap(
                wish ->
                    wish.all(Action.SetLimit.class).stream()
                        .filter(wanted -> wanted.limit() == limit && wanted.founded())
                        .map(wanted -> new Strictest.Bid(wish.mechanism(), wanted)))
            .toList());
  }

  private boolean widens(Ordered ordered) {
    return Optional.ofNullable(applied.get(ordered.wanted().limit()))
        .flatMap(before -> before.holding)
        .filter(ordered.wanted()::allowsMoreThan)
        .isPresent();
  }

  private String set(long nanos, Action.SetLimit wanted) {
    Applied before = applied.computeIfAbsent(wanted.limit(), limit -> new Applied());
    boolean holds = before.holding.filter(wanted::allowsAsMuchAs).isPresent();
    if (holds && nanos - before.nanos < HOLDS_UNSEEN.toNanos()) {
      return before.text;
    }
    boolean widens = before.holding.filter(wanted::allowsMoreThan).isPresent();
    if (widens && before.everWidened && nanos - before.widenedNanos < BETWEEN_WIDENINGS.toNanos()) {
      return "not applied: widened less than a second ago";
    }
    try {
      before.text = "applied: " + actuator(wanted.limit()).apply(wanted);
      before.known = true;
      before.holding = Optional.of(wanted);
      before.nanos = nanos;
      before.everWidened |= widens;
      before.widenedNanos = widens ? nanos : before.widenedNanos;
      before.warned = false;
      return before.text;
    } catch (IOException | RuntimeException e) {
      // What holds now is not known: the next decision sets it, whatever it is then.
      before.holding = Optional.empty();
      failures.inc();
      if (!before.warned) {
        LOG.warn("{} cannot be set; tried again each time, said once", wanted.limit(), e);
      }
      before.warned = true;
      return "failed: " + message(e);
    }
  }

  /** Kills for a limit only where that is set; observed ones are said once for each container. */
  private void kill(Wish wish) {
    List<Action.Kill> kills = wish.all(Action.Kill.class);
    Set<String> said = wouldBeDead.computeIfAbsent(wish.mechanism(), name -> new HashSet<>());
    said.retainAll(kills.stream().map(Action.Kill::target).toList());
    boolean set =
        wish.all(Action.SetLimit.class).stream().allMatch(wanted -> isKnown(wanted.limit()));
    for (Action.Kill kill : kills) {
      Optional<String> refusal = wish.refusal();
      if (refusal.isPresent()) {
        if (said.add(kill.target())) {
          write(wish, kill, refusal.get());
        }
      } else if (set) {
        write(wish, kill, kill(wish.mechanism(), kill));
      }
    }
  }

  private boolean isKnown(Limit limit) {
    return Optional.ofNullable(applied.get(limit)).map(state -> state.known).orElse(false);
  }

  private String kill(String mechanism, Action.Kill kill) {
    if (!dying.claim(kill.target(), kill.instead())) {
      return "not applied: it is dying, or another one whose end may be enough";
    }
    attribution.aboutToKill(mechanism, kill.target(), kill.basis().reason());
    try {
      killer.kill(kill.target());
      return "applied: killed";
    } catch (IOException e) {
      failures.inc();
      return "failed: " + message(e);
    }
  }

  private void write(Wish wish, Action action, String result) {
    audit.write(
        wish.mechanism(), wish.mode(), action.basis(), action.verb(), action.target(), result);
  }

  private void undo() {
    lines.values().forEach(LimitLines::flush);
    lines.clear();
    wouldBeDead.clear();
    applied.clear();
    actuators.forEach(
        (limit, actuator) -> {
          try {
            actuator.undo();
          } catch (IOException | RuntimeException e) {
            failures.inc();
            LOG.warn("the limit of {} could not be taken away", limit, e);
          }
        });
  }

  /** Takes away whatever was set; the machine is as if no mechanism had ever run. */
  @Override
  public synchronized void close() {
    undo();
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
