/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.nodemanager.report.recording.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The events of a launch gate on their way to a recording, and those of them that still hold: a new
 * file of the recording begins with these. Not thread-safe.
 */
final class LaunchRecording {
  private Consumer<Recorded> receiver = line -> {};
  private Optional<Recorded> reading = Optional.empty();
  private Optional<Long> boundBytes = Optional.empty();
  private OptionalInt cores = OptionalInt.empty();

  /** Sets the receiver of all further events, which must not block. */
  void receiver(Consumer<Recorded> to) {
    receiver = to;
  }

  /** Adds an event. */
  void add(Recorded event) {
    if (event instanceof Recorded.Observed) {
      reading = Optional.of(event);
    } else if (event instanceof Recorded.Unobserved) {
      reading = Optional.empty();
    } else if (event instanceof Recorded.Bound bound) {
      boundBytes = Optional.ofNullable(bound.bytes());
    } else if (event instanceof Recorded.Cores counted) {
      cores = OptionalInt.of(counted.count());
    }
    receiver.accept(event);
  }

  /** Returns whether the last reading of the node's memory succeeded. */
  boolean hasReading() {
    return reading.isPresent();
  }

  /** Returns the number of cores of the node, if it was set. */
  OptionalInt cores() {
    return cores;
  }

  /**
   * Returns the events that would put another scheduler into the same state.
   *
   * @param held whether launches are held
   */
  List<Recorded> state(
      LocalScheduler scheduler,
      LaunchHistory history,
      long nowNanos,
      long wallMillis,
      boolean held) {
    List<Recorded> events = new ArrayList<>();
    events.add(new Recorded.Learned(nowNanos, scheduler.learnedPeaks(), wallMillis, true));
    cores.ifPresent(count -> events.add(new Recorded.Cores(nowNanos, count)));
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
