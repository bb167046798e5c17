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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/**
 * YARN's queue of best-effort containers: as YARN has it until Charon is in charge, and from then
 * on mended three times. The containers in it stay when that changes. The launch gate hears of
 * every container that joins or leaves: YARN asks it about the first only, and not again when the
 * first leaves without having run. YARN finds the containers in the gate's order, whatever the
 * order of their arrival. And restarts work: YARN then queues every recovered container again, so
 * that one that runs already would wait behind others to be watched again, and be killed if the
 * queue is full. Here the ones that run come first, and the queue does not count as full until YARN
 * has recovered. Used on the ContainerManager's dispatcher thread only.
 */
final class BestEffortQueue extends LinkedHashMap<ContainerId, Container> {
  private static final long serialVersionUID = 1L;

  private transient volatile Optional<LaunchGate> gate = Optional.empty();
  private final transient Set<ContainerId> startedInRecovery = ConcurrentHashMap.newKeySet();
  private volatile boolean recovering;

  /** YARN is going to queue the containers of before once more. */
  void recovering() {
    recovering = true;
  }

  /** Charon is in charge from now on, of those that wait, too. */
  void inCharge(LaunchGate decides) {
    gate = Optional.of(decides);
    super.values().forEach(waiting -> ask(waiting, decides));
  }

  /** YARN is in charge from now on; whoever waits goes on to wait. */
  void stockInCharge() {
    gate = Optional.empty();
    recovered();
  }

  /** From now on the queue counts as full when it is. */
  void recovered() {
    recovering = false;
    startedInRecovery.clear();
  }

  boolean isRecovering() {
    return recovering;
  }

  /**
   * Takes the container out that gives its place to a newcomer, if there is one.
   *
   * @return the container, which is to be rejected
   */
  Optional<Container> giveWay(Container newcomer) {
    return gate.flatMap(decides -> decides.givesWay(Containers.info(newcomer).launchRequest()))
        .map(ContainerId::fromString)
        .map(this::remove);
  }

  /**
   * YARN schedules a container that it has recovered in this queue once more when it is localized:
   * it looks at the queue first, may start it, and then puts it in again.
   */
  @Override
  public Container put(ContainerId containerId, Container container) {
    if (startedInRecovery.contains(containerId)) {
      return null;
    }
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
    if (removed != null) {
      gate.ifPresent(decides -> decides.leftQueue(containerId.toString()));
    }
    return removed;
  }

  /** YARN removes what it starts or sheds by the iterator of this view. */
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

  @Override
  public int size() {
    return recovering ? 0 : super.size();
  }

  /** Those that run already, then those that wait in the gate's order. */
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
      if (recovering) {
        startedInRecovery.add(last);
      }
      BestEffortQueue.this.remove(last);
    }
  }
}
