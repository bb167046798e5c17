/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Which best-effort containers end so that something is released: those of the lowest priority
 * first (koordinator), among them by this order, and of two equals the one with the higher id. Only
 * what the list holds can be chosen, so no production container ever is.
 */
public enum VictimOrder {
  /** The one that started last loses the least work (ours). */
  NEWEST,
  /** The one whose end releases most (koordinator). */
  LARGEST;

  private record Ranked(Task task, int age, double gives) {}

  /**
   * Chooses until what they release covers the amount.
   *
   * @param tasks who runs; whoever is dying, or manages a job, is not chosen
   * @param gives what the end of each releases, in the unit of the amount; who releases nothing is
   *     not chosen
   * @param amount to be released; for 0 and less nobody is chosen
   * @param most how many are chosen at most
   * @return in the order in which they are to end
   */
  public List<Task> victims(
      BestEffortTasks tasks, ToDoubleFunction<Task> gives, double amount, int most) {
    List<Ranked> candidates = new ArrayList<>();
    for (Task task : tasks.oldestFirst()) {
      double released = gives.applyAsDouble(task);
      if (task.mortal() && !task.dying() && released > 0) {
        candidates.add(new Ranked(task, candidates.size(), released));
      }
    }
    candidates.sort(order());
    List<Task> victims = new ArrayList<>();
    double missing = amount;
    for (Ranked next : candidates) {
      if (!(missing > 0) || victims.size() >= most) {
        break;
      }
      victims.add(next.task());
      missing -= next.gives();
    }
    return victims;
  }

  /** YARN numbers priorities like ranks: the larger the number, the lower the priority. */
  private Comparator<Ranked> order() {
    Comparator<Ranked> lowestPriority =
        Comparator.comparingInt((Ranked ranked) -> ranked.task().priority()).reversed();
    Comparator<Ranked> preferred =
        switch (this) {
          case NEWEST -> Comparator.comparingInt(Ranked::age);
          case LARGEST -> Comparator.comparingDouble(Ranked::gives);
        };
    return lowestPriority
        .thenComparing(preferred.reversed())
        .thenComparing(Comparator.comparing((Ranked ranked) -> ranked.task().id()).reversed());
  }
}
