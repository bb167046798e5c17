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
import java.util.List;
import java.util.Optional;

/**
 * The one way by which a node hears of its containers: keeps the books of who runs, and tells the
 * parts of the node in one order whatever happens. A container that started untouched stays so, and
 * one that Charon placed is looked after until it ends, whatever the mode is by then. Thread-safe.
 */
public final class ContainerLifecycle {
  private final ContainerLedger ledger;
  private final PlacedContainers placed;
  private final Places places;
  private final Runnable readKills;
  private final NodeMetrics metrics;
  private final List<ContainerListener> listeners;

  /** Who gets a place from Charon. */
  interface Places {
    /** Whether one that starts now does. */
    boolean placesNow();

    /** Whether one that was found running did. */
    boolean wasPlaced(String containerId);
  }

  /**
   * Nobody runs yet.
   *
   * @param ledger what is known of those that run
   * @param placed which of them have their place from Charon
   * @param places who gets one
   * @param readKills reads kills of the kernel that are not known yet
   * @param metrics counts starts and ends
   * @param listeners told in this order
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

  /** Who is told, in this order; visible for tests. */
  List<ContainerListener> listeners() {
    return listeners;
  }

  /**
   * A container is about to start.
   *
   * @return what its first process does before any user code; nothing where Charon does not act
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

  /** A container that an earlier NodeManager started is watched again. */
  public void reacquired(ContainerInfo container) {
    boolean hasPlace = places.wasPlaced(container.containerId());
    ledger.started(container);
    placed.started(container.containerId(), hasPlace);
    listeners.forEach(listener -> listener.reacquired(container, hasPlace));
  }

  /**
   * A running container was promoted to production, or demoted to best-effort: its charge, its
   * place and what may be done to it follow.
   */
  public void changed(ContainerInfo container) {
    boolean hasPlace = hasPlace(container.containerId());
    ledger.changed(container);
    listeners.forEach(listener -> listener.changed(container, hasPlace));
  }

  /** A container is about to be sent a signal that ends it. */
  public void signalling(String containerId) {
    listeners.forEach(listener -> listener.signalling(containerId));
  }

  /** A container was sent a signal that ends it, which a frozen one may not get before it thaws. */
  public void signalled(String containerId) {
    boolean hasPlace = hasPlace(containerId);
    listeners.forEach(listener -> listener.signalled(containerId, hasPlace));
  }

  /** All processes that YARN knows of a container have ended. */
  public void stopped(String containerId) {
    readKills.run(); // while the kernel killer still knows the container
    boolean hasPlace = hasPlace(containerId);
    listeners.forEach(listener -> listener.stopped(containerId, hasPlace));
    placed.ended(containerId);
  }

  /** A container that ran gives its memory back; {@link #ended} says later how it ended. */
  public void released(String containerId) {
    boolean killed = killReason(containerId).isPresent();
    long peakBytes = ledger.find(containerId).map(ContainerLedger.Entry::peakBytes).orElse(0L);
    listeners.forEach(listener -> listener.released(containerId, peakBytes, killed));
  }

  /** A container ended, whether it ran or waited. */
  public void ended(String containerId, ContainerEnd end) {
    released(containerId);
    listeners.forEach(listener -> listener.ended(containerId));
    ledger.remove(containerId);
    placed.ended(containerId);
    switch (end) {
      case REJECTED -> metrics.rejected().inc();
      case SHED -> metrics.shed().inc();
      case HANDED_BACK -> metrics.handedBack().inc();
      case KILLED_FOR_MEMORY -> metrics.killedForMemory().inc();
      case PREEMPTED_BY_YARN -> metrics.preemptedByYarn().inc();
      case OTHER -> {}
    }
  }

  /** Why a container was killed for memory, if it was. */
  public Optional<String> killReason(String containerId) {
    readKills.run();
    return ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason);
  }

  private boolean hasPlace(String containerId) {
    return !placed.isUntouched(containerId);
  }
}
