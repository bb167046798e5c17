/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.eviction.EvictionRule.Shortage;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Evicts best-effort containers to release the amount that a rule finds short, in one order. After
 * any kill on the node, whatever caused it, it waits for a cool-down. The part of the amount that
 * no running container could release is <em>unmet</em>: it is reported, and has no other effect.
 */
public final class Eviction implements Mechanism {
  /** The amount that cannot be released, in the unit of the resource; 0 while nothing is short. */
  public static final String UNMET = "unmet";

  private record Decided(EvictionRule.Finding finding, double unmet, boolean cooling) {}

  private final EvictionRule rule;
  private final VictimOrder order;
  private final Duration grace;
  private final Availability availability;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param rule finds the shortage
   * @param order the order in which containers are evicted
   * @param grace the time that containers have to exit by themselves; zero: none
   * @param availability whether this machine has the rule's readings
   */
  public Eviction(EvictionRule rule, VictimOrder order, Duration grace, Availability availability) {
    this.rule = rule;
    this.order = order;
    this.grace = grace;
    this.availability = availability;
  }

  @Override
  public String name() {
    return rule.name();
  }

  @Override
  public Availability availability() {
    return availability;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    Set<Class<? extends Reading>> needs = new HashSet<>(rule.needs());
    needs.add(BestEffortTasks.class);
    needs.add(LastKill.class);
    return needs;
  }

  @Override
  public Set<Limit> limits() {
    return Set.of();
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    EvictionRule.Finding finding = rule.find(seen);
    BestEffortTasks tasks = seen.get(BestEffortTasks.class);
    boolean cooling = seen.get(LastKill.class).isWithin(rule.resource().coolDown(), seen.nanos());
    double unmet = finding.shortage().map(known -> unmet(known, tasks)).orElse(0.0);
    last = Optional.of(new Decided(finding, unmet, cooling));
    return finding
        .shortage()
        .filter(known -> !cooling)
        .map(known -> evict(known, tasks))
        .orElse(List.of());
  }

  private static double unmet(Shortage shortage, BestEffortTasks tasks) {
    double releasable =
        tasks.oldestFirst().stream()
            .filter(task -> task.mortal() && !task.dying())
            .mapToDouble(shortage.resource()::of)
            .sum();
    return Math.max(0, shortage.amount() - releasable);
  }

  private List<Action> evict(Shortage shortage, BestEffortTasks tasks) {
    List<Task> running = tasks.oldestFirst();
    int dying = (int) running.stream().filter(Task::dying).count();
    List<Task> victims =
        order.victims(tasks, shortage.resource()::of, shortage.amount(), shortage.most() - dying);
    // If another container is killed meanwhile, that has to suffice until the next sample.
    List<String> others =
        running.stream()
            .filter(task -> !task.dying() && !victims.contains(task))
            .map(Task::id)
            .toList();
    return victims.stream()
        .<Action>map(victim -> new Action.Kill(victim.id(), others, grace, basis(shortage, victim)))
        .toList();
  }

  private static Basis basis(Shortage shortage, Task victim) {
    Basis basis = shortage.basis();
    return new Basis(
        basis.protects(),
        basis.inputs(),
        basis.limit(),
        basis.rule(),
        basis.reason() + "; killing this container releases " + amount(shortage, victim));
  }

  private static String amount(Shortage shortage, Task victim) {
    return switch (shortage.resource()) {
      case MEMORY -> String.format(Locale.ROOT, "%d MiB", victim.bytes() / (1024 * 1024));
      case CPU -> victim.cores() == 1 ? "1 vcore" : victim.cores() + " vcores";
    };
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        rule.signal(),
        Optional.empty(),
        List.of(
            new Quantity(
                MechanismReport.VALUE,
                rule.unit(),
                decided.map(known -> known.finding().value()).orElse(OptionalDouble.empty())),
            Quantity.of(UNMET, rule.resource().unit(), decided.map(Decided::unmet))),
        decided.map(Eviction::detail).filter(text -> !text.isEmpty()),
        decided.map(known -> known.finding().cause()));
  }

  private static String detail(Decided decided) {
    if (decided.unmet() > 0) {
      return String.format(
          Locale.ROOT,
          "unmet: of %.0f to be released, no running container could release %.0f",
          decided.finding().shortage().map(Shortage::amount).orElse(0.0),
          decided.unmet());
    }
    return decided.cooling() && decided.finding().shortage().isPresent()
        ? "no eviction yet: a container was killed a moment ago"
        : "";
  }
}
