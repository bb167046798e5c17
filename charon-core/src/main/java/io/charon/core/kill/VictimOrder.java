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
 * The order in which best-effort containers are killed to release a resource. Containers of the
 * lowest priority come first (koordinator), then this order applies, and of two equal containers
 * the one with the higher id comes first. Only listed containers can be chosen, so a production
 * container never is.
 */
public enum VictimOrder {
  /** The container that started last, which loses the least work. Our choice. */
  NEWEST,
  /** The container whose end releases most (koordinator). */
  LARGEST;

  private record Ranked(Task task, int age, double released) {}

  /**
   * Chooses containers until the amount that they release covers the given amount.
   *
   * @param tasks the running containers; those that are dying or manage a job are not chosen
   * @param releases returns the amount that a container's end releases, in the unit of {@code
   *     amount}; containers that release nothing are not chosen
   * @param amount the amount to release; if it is not positive, no container is chosen
   * @param most the maximum number of chosen containers
   * @return the containers in the order in which they are to be killed
   */
  public List<Task> victims(
      BestEffortTasks tasks, ToDoubleFunction<Task> releases, double amount, int most) {
    List<Ranked> candidates = new ArrayList<>();
    for (Task task : tasks.oldestFirst()) {
      double released = releases.applyAsDouble(task);
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
      missing -= next.released();
    }
    return victims;
  }

  /** Puts larger priority numbers first: in YARN, a larger number is a lower priority. */
  private Comparator<Ranked> order() {
    Comparator<Ranked> lowestPriority =
        Comparator.comparingInt((Ranked ranked) -> ranked.task().priority()).reversed();
    Comparator<Ranked> preferred =
        switch (this) {
          case NEWEST -> Comparator.comparingInt(Ranked::age);
          case LARGEST -> Comparator.comparingDouble(Ranked::released);
        };
    return lowestPriority
        .thenComparing(preferred.reversed())
        .thenComparing(Comparator.comparing((Ranked ranked) -> ranked.task().id()).reversed());
  }
}
