/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The active applications of a queue in YARN's order. Its iterator omits most of the applications
 * that do not ask for guaranteed containers.
 *
 * <p>On every heartbeat of a node, YARN iterates over all active applications and skips those
 * without requests. In a crowded cluster these are a thousand best-effort ones, whose tasks are not
 * guaranteed, and most of production. One application without a demand still matters: the first one
 * that has no reservation ends the check of the queue's limit. The iterator therefore returns all
 * applications up to that one, and after it only those with a demand.
 */
final class DemandingApplications extends FifoOrderingPolicy<FiCaSchedulerApp> {
  /** Applications that may have a demand; the iterator removes one that turns out to have none. */
  private final TreeSet<FiCaSchedulerApp> demanding = new TreeSet<>(asYarn());

  private Comparator<FiCaSchedulerApp> asYarn() {
    return getComparator()::compare;
  }

  @Override
  public void addSchedulableEntity(FiCaSchedulerApp application) {
    super.addSchedulableEntity(application);
    demanding.add(application);
  }

  @Override
  public boolean removeSchedulableEntity(FiCaSchedulerApp application) {
    demanding.remove(application);
    return super.removeSchedulableEntity(application);
  }

  /** YARN calls this for applications that wait to become active, too. */
  @Override
  public void demandUpdated(FiCaSchedulerApp application) {
    if (schedulableEntities.contains(application)) {
      demanding.add(application);
    }
  }

  /** A container that was not fetched is requested again. */
  @Override
  public void containerReleased(FiCaSchedulerApp application, RMContainer container) {
    demandUpdated(application);
  }

  @Override
  public Iterator<FiCaSchedulerApp> getAssignmentIterator(IteratorSelector selector) {
    return new Iteration();
  }

  private static boolean hasDemand(FiCaSchedulerApp application) {
    return isSomething(
        application.getSchedulingResourceUsage().getPending(RMNodeLabelsManager.NO_LABEL));
  }

  private static boolean isSomething(Resource resource) {
    return !resource.equals(Resources.none());
  }

  private final class Iteration implements Iterator<FiCaSchedulerApp> {
    private final Iterator<FiCaSchedulerApp> all = schedulableEntities.iterator();
    private Iterator<FiCaSchedulerApp> demandingAfter;
    private FiCaSchedulerApp next;

    private Iteration() {
      advance();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public FiCaSchedulerApp next() {
      FiCaSchedulerApp shown = next;
      if (shown == null) {
        throw new NoSuchElementException();
      }
      if (demandingAfter == null && !isSomething(shown.getCurrentReservation())) {
        demandingAfter = demanding.tailSet(shown, false).iterator();
      }
      advance();
      return shown;
    }

    private void advance() {
      next = null;
      if (demandingAfter == null) {
        next = all.hasNext() ? all.next() : null;
        return;
      }
      while (next == null && demandingAfter.hasNext()) {
        FiCaSchedulerApp candidate = demandingAfter.next();
        if (hasDemand(candidate)) {
          next = candidate;
        } else {
          demandingAfter.remove();
        }
      }
    }
  }
}
