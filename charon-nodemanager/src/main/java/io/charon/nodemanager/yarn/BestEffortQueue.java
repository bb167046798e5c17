/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;

/**
 * YARN's queue of best-effort containers. It behaves as YARN's own until Charon is in charge, and
 * differs in three ways while it is; the containers in it stay when that changes. The launch gate
 * receives every container that joins or leaves, because YARN asks it about the first one only, and
 * not again when the first leaves without having run. YARN finds the containers in the gate's
 * order, not in the order of their arrival. Restarts work: YARN schedules containers that run
 * again, so that one would wait behind others before it is watched again, and would be killed if
 * the queue is full. Here running containers come first, and until all have come, containers from
 * before the restart take no place. Those that waited come when they are localized again, and find
 * a place even if new ones have filled the queue. Modified on the ContainerManager's dispatcher
 * thread only, except by {@link #recovered}.
 */
final class BestEffortQueue extends LinkedHashMap<ContainerId, Container> {
  private static final long serialVersionUID = 1L;

  private final transient RecoveredStatus recoveredStatus;

  private transient volatile Optional<LaunchGate> gate = Optional.empty();

  /** The containers from before the restart; empty until they are known, when all are. */
  private transient volatile Optional<Set<ContainerId>> before = Optional.empty();

  /** The containers that wait here and do not count in the length of the queue. */
  private final transient Set<ContainerId> uncounted = ConcurrentHashMap.newKeySet();

  /** Those that waited before the restart and have not come again. */
  private final transient Map<ContainerId, Container> awaited = new ConcurrentHashMap<>();

  BestEffortQueue(RecoveredStatus recoveredStatus) {
    this.recoveredStatus = recoveredStatus;
  }

  /** Puts Charon in charge, also of the containers that wait already. */
  void inCharge(LaunchGate decides) {
    gate = Optional.of(decides);
    super.values().forEach(waiting -> ask(waiting, decides));
  }

  /** Puts YARN in charge; waiting containers continue to wait. */
  void stockInCharge() {
    gate = Optional.empty();
  }

  /** Names the containers from before the restart: all others count from now on. */
  void recovered(Set<ContainerId> fromBefore) {
    before = Optional.of(fromBefore);
    uncounted.retainAll(fromBefore);
    awaited.keySet().retainAll(fromBefore);
  }

  /**
   * Removes the container that a new container displaces, if there is one.
   *
   * @return the removed container, which has to be rejected
   */
  Optional<Container> displace(Container newContainer) {
    return gate.flatMap(
            decides -> decides.displacedBy(Containers.info(newContainer).launchRequest()))
        .map(ContainerId::fromString)
        .map(this::remove);
  }

  /**
   * Adds a container. While Charon is in charge, one that waited before the restart is left out: it
   * would hold up the others until it is localized again, when YARN adds it again. The place of one
   * that comes next is not given to a container before it.
   */
  @Override
  public Container put(ContainerId containerId, Container container) {
    if (gate.isPresent() && recoveredStatus.startAgain(container)) {
      awaited.put(containerId, container);
      return null;
    }
    if (before.map(known -> known.contains(containerId)).orElse(true) || comingNext() > 0) {
      uncounted.add(containerId);
    }
    awaited.remove(containerId);
    gate.ifPresent(decides -> ask(container, decides));
    return super.put(containerId, container);
  }

  private static void ask(Container container, LaunchGate decides) {
    if (!decides.isRunning(container.getContainerId().toString())) {
      decides.request(Containers.info(container).launchRequest());
    }
  }

  @Override
  public Container remove(Object containerId) {
    Container removed = super.remove(containerId);
    uncounted.remove(containerId);
    if (removed != null) {
      gate.ifPresent(decides -> decides.leftQueue(containerId.toString()));
    }
    return removed;
  }

  /** Returns a view whose iterator YARN uses to remove the containers that it starts or sheds. */
  @Override
  public Collection<Container> values() {
    return gate.isPresent() ? ordered(gate.get()) : super.values();
  }

  private Collection<Container> ordered(LaunchGate decides) {
    return new AbstractCollection<>() {
      @Override
      public Iterator<Container> iterator() {
        return new RemovingIterator(inOrder(decides));
      }

      @Override
      public int size() {
        return BestEffortQueue.this.size();
      }
    };
  }

  /** Returns the length that YARN compares with its limit and reports to the ResourceManager. */
  @Override
  public int size() {
    return gate.isPresent()
        ? Math.max(0, super.size() - uncounted.size() - comingNext())
        : super.size();
  }

  /**
   * Returns the number of awaited containers that are localized again. YARN adds them next, unless
   * the queue is full.
   */
  private int comingNext() {
    return (int)
        awaited.values().stream()
            .filter(container -> container.getContainerState() == ContainerState.SCHEDULED)
            .filter(container -> !Containers.isGuaranteed(container)) // not promoted meanwhile
            .count();
  }

  /** Returns the running containers, followed by the waiting ones in the gate's order. */
  private List<ContainerId> inOrder(LaunchGate decides) {
    List<ContainerId> waiting =
        decides.waitingInOrder().stream().map(ContainerId::fromString).toList();
    Set<ContainerId> ordered = new LinkedHashSet<>(keySet());
    waiting.forEach(ordered::remove);
    waiting.stream().filter(this::containsKey).forEach(ordered::add);
    return new ArrayList<>(ordered);
  }

  private final class RemovingIterator implements Iterator<Container> {
    private final Iterator<ContainerId> ordered;
    private ContainerId last;

    RemovingIterator(List<ContainerId> ordered) {
      this.ordered = ordered.iterator();
    }

    @Override
    public boolean hasNext() {
      return ordered.hasNext();
    }

    @Override
    public Container next() {
      last = ordered.next();
      return get(last);
    }

    @Override
    public void remove() {
      BestEffortQueue.this.remove(last);
    }
  }
}
