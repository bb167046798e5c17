/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

/** An action that runs at a given instant unless it is cancelled. */
public final class ScheduledEvent implements Comparable<ScheduledEvent> {
  private final long atNanos;
  private final EventPhase phase;
  private final long number;
  private Runnable action;

  ScheduledEvent(long atNanos, EventPhase phase, long number, Runnable action) {
    this.atNanos = atNanos;
    this.phase = phase;
    this.number = number;
    this.action = action;
  }

  /** Returns the time at which the event runs, in virtual nanoseconds from the start. */
  public long atNanos() {
    return atNanos;
  }

  void cancel() {
    action = null;
  }

  /** Returns whether the event has neither run nor been cancelled. */
  public boolean isPending() {
    return action != null;
  }

  void run() {
    Runnable once = action;
    action = null;
    once.run();
  }

  @Override
  public int compareTo(ScheduledEvent other) {
    int order = Long.compare(atNanos, other.atNanos);
    if (order == 0) {
      order = phase.compareTo(other.phase);
    }
    return order != 0 ? order : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
