/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.eviction.EvictionRule.Resource;
import io.charon.core.law.eviction.EvictionRule.Shortage;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.WorkingSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** Properties for every node, whatever runs, however it is measured and however the clock jumps. */
class EvictionPropertyTest {
  /** One sample. */
  record Step(
      long elapsed,
      long used,
      double some,
      double quota,
      double use,
      long killed,
      List<Task> runs) {}

  @Provide
  Arbitrary<List<Step>> course() {
    Arbitrary<Task> task =
        Combinators.combine(
                Arbitraries.longs().between(0, 60),
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 4),
                Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true)),
                Arbitraries.frequency(Tuple.of(9, true), Tuple.of(1, false)))
            .as(
                (mib, priority, cores, dying, mortal) ->
                    new Task(
                        "?", WorkingSet.of(mib * SampledNode.MIB), dying, priority, cores, mortal));
    Arbitrary<Step> step =
        Combinators.combine(
                Arbitraries.frequency(
                    Tuple.of(30, SampledNode.SECOND),
                    Tuple.of(2, 20 * SampledNode.SECOND),
                    Tuple.of(1, 0L),
                    Tuple.of(1, -90 * SampledNode.SECOND)),
                Arbitraries.of(500L, 690L, 700L, 801L, 850L, 900L, 1000L, 1100L),
                Arbitraries.of(0.0, 4.9, 5.0, 60.0, 100.0),
                Arbitraries.doubles().between(0, 8),
                Arbitraries.doubles().between(0, 9),
                Arbitraries.of(0L, 3L, 19L, 30L, 30L, 30L, 30L),
                task.list().ofMaxSize(12))
            .as(Step::new);
    return step.list().ofMinSize(20).ofMaxSize(60);
  }

  @Provide
  Arbitrary<EvictionRule> rule() {
    return Arbitraries.of(0, 1, 2)
        .map(
            number ->
                switch (number) {
                  case 0 -> new MemoryLineRule(70, 68);
                  case 1 -> new PressureRule(5, 80, Duration.ofSeconds(1));
                  default ->
                      new SatisfactionRule(
                          new SatisfactionRule.Settings(60, 80, 10, Duration.ofSeconds(3)),
                          Duration.ofSeconds(1));
                });
  }

  @Property(tries = 400)
  void onlyBestEffortThatRunsEndsAndNoMoreThanIsShort(
      @ForAll("rule") EvictionRule rule,
      @ForAll VictimOrder order,
      @ForAll("course") List<Step> course) {
    Eviction eviction = new Eviction(rule, order, Duration.ZERO, Availability.available());
    SampledNode node = new SampledNode();
    int ended = 0;
    for (Step step : course) {
      set(node, step);
      List<Action> actions = eviction.decide(node.after(step.elapsed()));
      List<Task> victims = actions.stream().map(action -> find(node, action)).toList();
      ended += victims.size();
      assertThat(victims).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(Shortage.MAX);
      assertThat(victims).allMatch(task -> task.mortal() && !task.dying());
      assertThat(eviction.report().value(Eviction.UNMET).orElseThrow()).isNotNegative().isFinite();
      long sinceKill = Math.abs(node.nanos - node.killedNanos.orElseThrow());
      if (sinceKill < rule.resource().coolDown().toNanos()) {
        assertThat(actions).as("in the cool-down").isEmpty();
      }
      if (!victims.isEmpty()) {
        coversNoMoreThanItMust(rule, eviction, node, victims);
        noneOfHigherPriorityGoesFirst(rule, node, victims);
      }
    }
    Statistics.label("evictions").collect(rule.name(), ended > 0 ? "some" : "none");
  }

  private static void set(SampledNode node, Step step) {
    node.running.clear();
    int number = 0;
    for (Task task : step.runs()) {
      node.running.add(
          new Task(
              "c" + number++,
              task.memory(),
              task.dying(),
              task.priority(),
              task.cores(),
              task.mortal()));
    }
    node.usedMebibytes = step.used();
    node.somePercent = step.some();
    node.quota = OptionalDouble.of(step.quota());
    node.bestEffort = Measurement.of(step.use());
    node.killedNanos =
        OptionalLong.of(node.nanos + step.elapsed() - step.killed() * SampledNode.SECOND);
  }

  /** Returns the action's target, which must be a best-effort container of that sample. */
  private static Task find(SampledNode node, Action action) {
    return node.running.stream()
        .filter(task -> task.id().equals(action.target()))
        .findFirst()
        .orElseThrow();
  }

  /** Without the last victim, the released amount would not be sufficient. */
  private static void coversNoMoreThanItMust(
      EvictionRule rule, Eviction eviction, SampledNode node, List<Task> victims) {
    Resource resource = rule.resource();
    double released = victims.stream().limit(victims.size() - 1).mapToDouble(resource::of).sum();
    double most =
        resource == Resource.MEMORY
            ? (node.usedMebibytes - 680) * (double) SampledNode.MIB
            : node.running.stream().mapToInt(Task::cores).sum();
    assertThat(released).isLessThan(Math.max(1, most));
    assertThat(eviction.report().cause()).isPresent();
  }

  private static void noneOfHigherPriorityGoesFirst(
      EvictionRule rule, SampledNode node, List<Task> victims) {
    List<Task> spared = new ArrayList<>(node.running);
    spared.removeAll(victims);
    int highest = victims.stream().mapToInt(Task::priority).min().orElseThrow();
    assertThat(spared)
        .filteredOn(task -> task.mortal() && !task.dying() && rule.resource().of(task) > 0)
        .allMatch(task -> task.priority() <= highest);
  }
}
