/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;

/**
 * The running best-effort containers, oldest first.
 *
 * @param oldestFirst the containers in launch order
 */
public record BestEffortTasks(List<Task> oldestFirst) implements Reading {
  /**
   * A running best-effort container.
   *
   * @param id YARN's container id
   * @param memory its working set
   * @param dying whether it has been killed and will soon be gone: its memory is as good as free
   * @param priority YARN's priority: a container with a larger number is evicted sooner
   * @param cores the vcores that it asks for now, not negative; 0 while it is frozen
   * @param mortal false for an ApplicationMaster, because its whole job would start again
   */
  public record Task(
      String id, WorkingSet memory, boolean dying, int priority, int cores, boolean mortal) {
    /** Creates a task with YARN's defaults, priority 0 and one vcore, that may be killed. */
    public Task(String id, long bytes, boolean dying) {
      this(id, WorkingSet.of(bytes), dying, 0, 1, true);
    }

    /** Returns its working set in bytes. */
    public long bytes() {
      return memory.bytes();
    }

    /** Returns the memory that its end releases, bytes. */
    public long releasedBytes() {
      return memory.releasedBytes();
    }
  }

  /** Copies the list. */
  public BestEffortTasks {
    oldestFirst = List.copyOf(oldestFirst);
  }

  /** Returns the memory of the containers that are not dying, in bytes. */
  public long heldBytes() {
    return oldestFirst.stream().filter(task -> !task.dying()).mapToLong(Task::bytes).sum();
  }

  /** Returns the memory that the dying containers will release, in bytes. */
  public long dyingBytes() {
    return oldestFirst.stream().filter(Task::dying).mapToLong(Task::releasedBytes).sum();
  }
}
