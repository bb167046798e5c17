/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * YARN's dispatcher without its thread: events are queued in order and handled after the call that
 * caused them has returned. The order is the same as with the real dispatcher; handling the events
 * inside that call would re-enter YARN's state machines.
 */
@SuppressWarnings("rawtypes") // Hadoop's own signatures are raw.
final class RunToCompletionDispatcher implements Dispatcher {
  private final Queue<Event> queue = new ArrayDeque<>();
  private final Consumer<Event> sink;
  private boolean draining;

  RunToCompletionDispatcher(Consumer<Event> sink) {
    this.sink = sink;
  }

  @Override
  public EventHandler<Event> getEventHandler() {
    return queue::add;
  }

  @Override
  public void register(Class<? extends Enum> eventType, EventHandler handler) {
    // All events go to one sink.
  }

  /** Handles all queued events, unless this is already in progress. */
  void drain() {
    if (draining) {
      return;
    }
    draining = true;
    try {
      for (Event event = queue.poll(); event != null; event = queue.poll()) {
        sink.accept(event);
      }
    } finally {
      draining = false;
    }
  }
}
