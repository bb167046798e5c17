/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

import java.util.Objects;
import java.util.PriorityQueue;

/**
 * The one queue of events and the virtual clock. Time only passes by taking the next event; for one
 * thread.
 */
public final class EventQueue {
  /** As many events that were called off are not worth a look. */
  private static final int FEW = 1000;

  private final PriorityQueue<ScheduledEvent> events = new PriorityQueue<>();
  private long nowNanos;
  private long scheduled;
  private long executed;
  private int calledOff;

  /** Now, virtual nanoseconds from the start. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Events that ran so far. */
  public long executed() {
    return executed;
  }

  /**
   * Lets something happen.
   *
   * @param atNanos when, not before now
   * @param phase what comes first at that instant
   * @param action what
   * @return the event, to call it off
   */
  public ScheduledEvent schedule(long atNanos, Phase phase, Runnable action) {
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(action, "action");
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException(
          "an event at " + atNanos + " ns cannot be scheduled, it is " + nowNanos + " ns now");
    }
    ScheduledEvent event = new ScheduledEvent(atNanos, phase, scheduled++, action);
    events.add(event);
    return event;
  }

  /** Events it holds, those that were called off included. */
  int held() {
    return events.size();
  }

  /** Calls an event off; no effect once it ran. */
  public void cancel(ScheduledEvent event) {
    if (!event.isPending()) {
      return;
    }
    event.cancel();
    calledOff++;
    // Those far ahead would otherwise stay until their time: never more of them than of the others.
    if (calledOff > events.size() / 2 && calledOff >= FEW) {
      events.removeIf(waiting -> !waiting.isPending());
      calledOff = 0;
    }
  }

  /**
   * Runs the next event that was not called off, if it is not after an instant.
   *
   * @param untilNanos the instant
   * @return whether one ran; if not, it is {@code untilNanos} now or no event is left
   */
  public boolean runNext(long untilNanos) {
    while (!events.isEmpty()) {
      ScheduledEvent event = events.peek();
      if (!event.isPending()) {
        events.remove();
        calledOff--;
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
