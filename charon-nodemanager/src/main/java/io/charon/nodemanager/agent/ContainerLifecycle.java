/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The single entry point for events of containers. It keeps the ledger of running containers and
 * notifies the parts of the node, always in the same order. A container keeps the treatment with
 * which it started: one that started untouched stays untouched, and one that Charon placed is
 * managed until it ends, even if the mode changes. If a part throws, the others are notified all
 * the same, because YARN reports nothing twice; only a start fails as a whole, so that the
 * container runs without Charon. Thread-safe.
 */
public final class ContainerLifecycle {
  private final ContainerLedger ledger;
  private final PlacedContainers placed;
  private final Places places;
  private final Runnable readKills;
  private final NodeMetrics metrics;
  private final List<ContainerListener> listeners;

  /** Decides which containers Charon places. */
  interface Places {
    /** Returns whether a container that starts now is placed. */
    boolean placesNow();

    /** Returns whether a container that was found running had been placed. */
    boolean wasPlaced(String containerId);
  }

  /**
   * Creates a lifecycle without any running container.
   *
   * @param ledger records the running containers
   * @param placed records which of them Charon placed
   * @param places decides which containers are placed
   * @param readKills reads kernel kills that have not been read yet
   * @param metrics counts launches and ends
   * @param listeners notified in this order
   */
  ContainerLifecycle(
      ContainerLedger ledger,
      PlacedContainers placed,
      Places places,
      Runnable readKills,
      NodeMetrics metrics,
      List<ContainerListener> listeners) {
    this.ledger = ledger;
    this.placed = placed;
    this.places = places;
    this.readKills = readKills;
    this.metrics = metrics;
    this.listeners = List.copyOf(listeners);
  }

  /** Returns the listeners in the order in which they are notified; visible for tests. */
  List<ContainerListener> listeners() {
    return listeners;
  }

  /**
   * Records that a container is about to start.
   *
   * @return what its first process does before any user code; empty where Charon does not act
   */
  public Optional<LaunchPrefix> starting(ContainerInfo container) {
    boolean place = places.placesNow();
    ledger.started(container);
    placed.started(container.containerId(), place);
    if (container.executionType() == ExecutionType.OPPORTUNISTIC) {
      metrics.launched().inc();
    }
    Optional<LaunchPrefix> prefix = Optional.empty();
    for (ContainerListener listener : listeners) {
      Optional<LaunchPrefix> wanted = listener.starting(container, place);
      prefix = wanted.isPresent() ? wanted : prefix;
    }
    return prefix;
  }

  /** Resumes tracking a container that an earlier NodeManager started. */
  public void reacquired(ContainerInfo container) {
    boolean hasPlace = places.wasPlaced(container.containerId());
    ledger.started(container);
    placed.started(container.containerId(), hasPlace);
    notifyEach(listener -> listener.reacquired(container, hasPlace));
  }

  /**
   * Records that a running container was promoted to production or demoted to best-effort; its
   * charge, its cgroup and the actions allowed on it change accordingly. One that has ended since
   * its change was noticed is ignored.
   */
  public void changed(ContainerInfo container) {
    boolean hasPlace = hasPlace(container.containerId());
    if (ledger.changed(container)) {
      try {
        notifyEach(listener -> listener.changed(container, hasPlace));
      } finally {
        releaseIfStopped(container.containerId(), hasPlace);
      }
    }
  }

  /**
   * Records the new request of a running container. Its processes and its charge stay as they are.
   */
  public void resized(ContainerInfo container) {
    if (ledger.changed(container)) {
      notifyEach(listener -> listener.resized(container));
    }
  }

  /**
   * Repeats the end of a container that ended while its change was told: a listener may have heard
   * of the change last, and then holds a charge or cgroups that nobody would release.
   */
  private void releaseIfStopped(String containerId, boolean hasPlace) {
    if (!ledger.hasProcesses(containerId)) {
      notifyEach(
          listener -> listener.stopped(containerId, hasPlace),
          listener -> listener.released(containerId, 0, ContainerEnd.OTHER));
    }
  }

  /** Notifies all listeners of each event in turn, and only then throws what they threw. */
  @SafeVarargs
  private void notifyEach(Consumer<ContainerListener>... events) {
    List<RuntimeException> failures = new ArrayList<>();
    for (Consumer<ContainerListener> event : events) {
      for (ContainerListener listener : listeners) {
        try {
          event.accept(listener);
        } catch (RuntimeException e) {
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.get(0);
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  /** Announces that a container is about to receive a signal that terminates it. */
  public void signalling(String containerId) {
    notifyEach(listener -> listener.signalling(containerId));
  }

  /**
   * Records that a container received a terminating signal; a frozen container may not handle it
   * before it is thawed.
   */
  public void signalled(String containerId) {
    boolean hasPlace = hasPlace(containerId);
    notifyEach(listener -> listener.signalled(containerId, hasPlace));
  }

  /** Records that all processes of a container that YARN knows of have ended. */
  public void stopped(String containerId) {
    readKills.run(); // while the kernel killer still knows the container
    boolean hasPlace = hasPlace(containerId);
    ledger.stopped(containerId); // before the listeners, so that no change reaches them afterwards
    try {
      notifyEach(listener -> listener.stopped(containerId, hasPlace));
    } finally {
      placed.ended(containerId);
    }
  }

  /**
   * Releases the memory of a container that ran; {@link #ended} follows later.
   *
   * @param completed whether it finished successfully
   */
  public void released(String containerId, boolean completed) {
    notifyEach(release(containerId, completed));
  }

  private Consumer<ContainerListener> release(String containerId, boolean completed) {
    ContainerEnd end =
        killedForMemory(containerId)
            ? ContainerEnd.KILLED_FOR_MEMORY
            : completed ? ContainerEnd.COMPLETED : ContainerEnd.OTHER;
    long peakBytes = ledger.find(containerId).map(ContainerLedger.Entry::peakBytes).orElse(0L);
    return listener -> listener.released(containerId, peakBytes, end);
  }

  /** Records that a container ended, whether it had been running or waiting. */
  public void ended(String containerId, ContainerEnd end) {
    Consumer<ContainerListener> release = release(containerId, end == ContainerEnd.COMPLETED);
    ledger.stopped(containerId); // as in stopped(), which is not called if YARN lost its processes
    try {
      notifyEach(release, listener -> listener.ended(containerId));
    } finally {
      ledger.remove(containerId);
      placed.ended(containerId);
      count(end);
    }
  }

  private void count(ContainerEnd end) {
    switch (end) {
      case REJECTED -> metrics.rejected().inc();
      case SHED -> metrics.shed().inc();
      case HANDED_BACK -> metrics.handedBack().inc();
      case KILLED_FOR_MEMORY -> metrics.killedForMemory().inc();
      case PREEMPTED_BY_YARN -> metrics.preemptedByYarn().inc();
      case COMPLETED, OTHER -> {}
    }
  }

  /** Returns the reason why a container was killed; empty if it was not. */
  public Optional<String> killReason(String containerId) {
    return afterKills(containerId).flatMap(ContainerLedger.Entry::killReason);
  }

  /** Returns whether a container was killed for memory. */
  public boolean killedForMemory(String containerId) {
    return afterKills(containerId).filter(ContainerLedger.Entry::killedForMemory).isPresent();
  }

  /**
   * Returns the record of a container with its kill. Kernel kills are read only while it may be
   * killed: each reading is a request to the killer's helper, and many containers end at once.
   */
  private Optional<ContainerLedger.Entry> afterKills(String containerId) {
    if (ledger.hasProcesses(containerId)) {
      readKills.run();
    }
    return ledger.find(containerId);
  }

  private boolean hasPlace(String containerId) {
    return !placed.isUntouched(containerId);
  }
}
