/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/** How a container ended, in the categories that are counted separately. */
public enum ContainerEnd {
  /** Its queue on this node was full. */
  REJECTED,
  /** The ResourceManager shortened the queue. */
  SHED,
  /** It waited too long on this node, and may start elsewhere. */
  HANDED_BACK,
  /** Charon or the kernel killed it for memory. */
  KILLED_FOR_MEMORY,
  /** YARN killed it to make room for a guaranteed container. */
  PREEMPTED_BY_YARN,
  /** It finished successfully. */
  COMPLETED,
  /** Any other end: it failed, or was ended by its user or its application. */
  OTHER;

  /** The diagnostics of a container that Charon hands back. */
  public static final String WAITED_TOO_LONG =
      "Opportunistic container waited too long on this node";

  // Diagnostics of YARN's ContainerScheduler, which does not have an exit status for each of these
  // ends.
  private static final String QUEUE_FULL = "container queue is full";
  private static final String DEQUEUED = "De-queued to meet NM queuing limits";
  private static final String MAKE_ROOM = "to make room for Guaranteed Container";

  /**
   * Returns whether the peak of a container is only a lower bound of what it needed. One that
   * failed or was stopped early has not reached its peak; one that had stopped growing has: many
   * frameworks stop their workers themselves when a job is done.
   *
   * @param settled whether it had stopped growing
   */
  public boolean isTruncated(boolean settled) {
    return switch (this) {
      case COMPLETED -> false;
      case KILLED_FOR_MEMORY -> true;
      default -> !settled;
    };
  }

  /**
   * Distinguishes the ends that YARN reports with the same exit status.
   *
   * @param diagnostics of the finished container
   */
  public static ContainerEnd ofSchedulerKill(String diagnostics) {
    if (diagnostics.contains(QUEUE_FULL)) {
      return REJECTED;
    }
    if (diagnostics.contains(DEQUEUED)) {
      return SHED;
    }
    if (diagnostics.contains(WAITED_TOO_LONG)) {
      return HANDED_BACK;
    }
    return diagnostics.contains(MAKE_ROOM) ? PREEMPTED_BY_YARN : OTHER;
  }
}
