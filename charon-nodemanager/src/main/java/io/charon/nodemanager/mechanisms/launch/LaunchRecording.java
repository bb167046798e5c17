/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.ProcessorRoom;
import io.charon.nodemanager.report.recording.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The events of a launch gate on their way to a recording, and those of them that still hold: a new
 * file of the recording begins with these. Not thread-safe.
 */
final class LaunchRecording {
  private Consumer<Recorded> receiver = line -> {};
  private Optional<Recorded> reading = Optional.empty();
  private Optional<Long> boundBytes = Optional.empty();
  private Optional<Recorded.Processors> processors = Optional.empty();
  private boolean held;

  /** Sets the receiver of all further events, which must not block. */
  void receiver(Consumer<Recorded> to) {
    receiver = to;
  }

  /** Adds an event, unless it repeats what is known of the processors. */
  void add(Recorded event) {
    if (event instanceof Recorded.Processors seen && processors.filter(seen::isAs).isPresent()) {
      return;
    }
    if (event instanceof Recorded.Observed) {
      reading = Optional.of(event);
    } else if (event instanceof Recorded.Unobserved) {
      reading = Optional.empty();
    } else if (event instanceof Recorded.Bound bound) {
      boundBytes = Optional.ofNullable(bound.bytes());
    } else if (event instanceof Recorded.Processors counted) {
      processors = Optional.of(counted);
    } else if (event instanceof Recorded.Held holds) {
      held = holds.hold();
    }
    receiver.accept(event);
  }

  /** Returns whether the last reading of the node's memory succeeded. */
  boolean hasReading() {
    return reading.isPresent();
  }

  /** Tells a new scheduler's room what is known of the node's processors. */
  void restore(ProcessorRoom room) {
    processors.ifPresent(seen -> room.seen(seen.count(), seen.runnablePerCore()));
  }

  /** Returns the events that would put another scheduler into the same state. */
  List<Recorded> state(
      LocalScheduler scheduler, LaunchHistory history, long nowNanos, long wallMillis) {
    List<Recorded> events = new ArrayList<>();
    events.add(Recorded.Learned.restored(nowNanos, scheduler.learned(), wallMillis));
    processors.ifPresent(
        seen ->
            events.add(new Recorded.Processors(nowNanos, seen.count(), seen.runnablePerCore())));
    scheduler
        .running()
        .forEach(
            running ->
                events.add(
                    new Recorded.Adopted(
                        nowNanos,
                        running.request(),
                        running.found() ? null : running.launchedNanos())));
    boundBytes.ifPresent(bytes -> events.add(new Recorded.Bound(nowNanos, bytes)));
    if (held) {
      events.add(new Recorded.Held(nowNanos, true));
    }
    reading.ifPresent(events::add);
    for (LaunchRequest request : scheduler.waiting(nowNanos)) {
      events.add(
          new Recorded.Asked(
              nowNanos,
              request,
              LaunchDecision.Outcome.QUEUED,
              history.reason(request.containerId())));
    }
    return events;
  }
}
