/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.launch.LaunchGate;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/**
 * YARN's queue of best-effort containers, mended twice. The launch gate hears of every container
 * that joins or leaves: YARN asks it about the first only, and not again when the first leaves
 * without having run. And restarts work: YARN then queues every recovered container again, so that
 * one that runs already would wait behind others to be watched again, and be killed if the queue is
 * full. Here the ones that run come first, and the queue does not count as full until YARN has
 * recovered. Used on the ContainerManager's dispatcher thread only.
 */
final class BestEffortQueue extends LinkedHashMap<ContainerId, Container> {
  private static final long serialVersionUID = 1L;

  private final transient LaunchGate gate;
  private volatile boolean recovering = true;

  BestEffortQueue(LaunchGate gate) {
    this.gate = gate;
  }

  /** From now on the queue counts as full when it is. */
  void recovered() {
    recovering = false;
  }

  boolean isRecovering() {
    return recovering;
  }

  @Override
  public Container put(ContainerId containerId, Container container) {
    if (gate.isRunning(containerId.toString())) {
      return putFirst(containerId, container);
    }
    gate.request(Containers.info(container).launchRequest());
    return super.put(containerId, container);
  }

  @Override
  public Container remove(Object containerId) {
    Container removed = super.remove(containerId);
    if (removed != null) {
      gate.leftQueue(containerId.toString());
    }
    return removed;
  }

  /** YARN removes what it starts or sheds by the iterator of this view. */
  @Override
  public Collection<Container> values() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<Container> iterator() {
        return new ReportingIterator(entrySet().iterator());
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

  private Container putFirst(ContainerId containerId, Container container) {
    Map<ContainerId, Container> others = new LinkedHashMap<>();
    forEach(others::put); // a copy constructor would believe size()
    Container before = others.remove(containerId);
    clear();
    super.put(containerId, container);
    others.forEach(super::put);
    return before;
  }

  private final class ReportingIterator implements Iterator<Container> {
    private final Iterator<Map.Entry<ContainerId, Container>> entries;
    private ContainerId last;

    ReportingIterator(Iterator<Map.Entry<ContainerId, Container>> entries) {
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public Container next() {
      Map.Entry<ContainerId, Container> entry = entries.next();
      last = entry.getKey();
      return entry.getValue();
    }

    @Override
    public void remove() {
      entries.remove();
      gate.leftQueue(last.toString());
    }
  }
}
