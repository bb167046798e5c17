/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicyForPendingApps;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;

/**
 * The applications of a queue whose ApplicationMasters wait for room, in YARN's order. The iterator
 * ends after the first application that has to continue to wait.
 *
 * <p>YARN visits all of them whenever an application of the queue is added or removed. In a crowded
 * cluster these are thousands, and the visits take most of YARN's time. Behind the first
 * application that does not fit, YARN would find nothing, for three reasons: during one iteration
 * the limit of the queue's masters and their use change only when one is activated; all masters of
 * a queue request the same amount; and the limit of one user's masters (user-limit-factor is huge)
 * is never lower than the limit of all. The only difference is that messages about why the other
 * applications wait are missing.
 */
final class WaitingApplications extends FifoOrderingPolicyForPendingApps<FiCaSchedulerApp> {
  @Override
  public Iterator<FiCaSchedulerApp> getAssignmentIterator(IteratorSelector selector) {
    Iterator<FiCaSchedulerApp> all = super.getAssignmentIterator(selector);
    return new Iterator<>() {
      private boolean lastOneStays;

      @Override
      public boolean hasNext() {
        return !lastOneStays && all.hasNext();
      }

      @Override
      public FiCaSchedulerApp next() {
        lastOneStays = true;
        return all.next();
      }

      /** Called when the scheduler activates the application. */
      @Override
      public void remove() {
        lastOneStays = false;
        all.remove();
      }
    };
  }
}
