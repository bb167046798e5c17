/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

import java.util.Objects;
import java.util.PriorityQueue;

/**
 * The event queue and the virtual clock of a simulation. Time advances only when the next event
 * runs or the queue is asked to run until an instant. Not thread-safe.
 */
public final class EventQueue {
  /** Number of cancelled events below which the queue is not cleaned. */
  private static final int FEW = 1000;

  private final PriorityQueue<ScheduledEvent> events = new PriorityQueue<>();
  private long nowNanos;
  private long scheduled;
  private long executed;
  private int cancelled;

  /** Returns the current virtual time, in nanoseconds from the start. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Returns the number of events that have run. */
  public long executed() {
    return executed;
  }

  /**
   * Schedules an action.
   *
   * @param atNanos time at which it runs, not before now
   * @param phase order among the events of the same instant
   * @param action the action
   * @return the event, for {@link #cancel}
   */
  public ScheduledEvent schedule(long atNanos, EventPhase phase, Runnable action) {
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(action, "action");
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException(
          "an event at "
              + atNanos
              + " ns cannot be scheduled, because the time is "
              + nowNanos
              + " ns");
    }
    ScheduledEvent event = new ScheduledEvent(atNanos, phase, scheduled++, action);
    events.add(event);
    return event;
  }

  /** Returns the number of events in the queue, including the cancelled ones. */
  int held() {
    return events.size();
  }

  /** Cancels an event; has no effect if the event has run. */
  public void cancel(ScheduledEvent event) {
    if (!event.isPending()) {
      return;
    }
    event.cancel();
    cancelled++;
    // Cancelled events far in the future would otherwise stay until their time. Removing them keeps
    // them below half of a large queue.
    if (cancelled > events.size() / 2 && cancelled >= FEW) {
      events.removeIf(waiting -> !waiting.isPending());
      cancelled = 0;
    }
  }

  /**
   * Runs the next pending event, unless it is after a given instant.
   *
   * @param untilNanos the instant
   * @return whether an event ran; if none ran, the clock is at {@code untilNanos} or the queue is
   *     empty
   */
  public boolean runNext(long untilNanos) {
    while (!events.isEmpty()) {
      ScheduledEvent event = events.peek();
      if (!event.isPending()) {
        events.remove();
        cancelled--;
      } else if (event.atNanos() > untilNanos) {
        nowNanos = Math.max(nowNanos, untilNanos);
        return false;
      } else {
        events.remove();
        nowNanos = event.atNanos();
        executed++;
        event.run();
        return true;
      }
    }
    return false;
  }
}
