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
   */
  public record Task(String id, long bytes, boolean dying) {}

  /** Copies the list. */
  public BestEffortTasks {
    oldestFirst = List.copyOf(oldestFirst);
  }

  /** What those hold that are not dying, bytes. */
  public long heldBytes() {
    return oldestFirst.stream().filter(task -> !task.dying()).mapToLong(Task::bytes).sum();
  }
}
