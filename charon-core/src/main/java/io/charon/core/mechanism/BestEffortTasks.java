/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;

/**
 * The best-effort containers that run, oldest first.
 *
 * @param oldestFirst in launch order
 */
public record BestEffortTasks(List<Task> oldestFirst) implements Reading {
  /**
   * A container.
   *
   * @param id YARN's container id
   * @param bytes its working set
   * @param dying whether somebody killed it and it is to be gone soon: its memory is as good as
   *     free
   * @param priority YARN's: the larger the number, the sooner it may go
   * @param cores vcores that it asked for, not negative
   * @param mortal false: an ApplicationMaster, whose whole job would begin anew
   */
  public record Task(
      String id, long bytes, boolean dying, int priority, int cores, boolean mortal) {
    /** One of the priority and the size that YARN gives who asks for none. */
    public Task(String id, long bytes, boolean dying) {
      this(id, bytes, dying, 0, 1, true);
    }
  }

  /** Copies the list. */
  public BestEffortTasks {
    oldestFirst = List.copyOf(oldestFirst);
  }

  /** What those hold that are not dying, bytes. */
  public long heldBytes() {
    return oldestFirst.stream().filter(task -> !task.dying()).mapToLong(Task::bytes).sum();
  }

  /** What those hold that are dying, bytes. */
  public long dyingBytes() {
    return oldestFirst.stream().filter(Task::dying).mapToLong(Task::bytes).sum();
  }
}
