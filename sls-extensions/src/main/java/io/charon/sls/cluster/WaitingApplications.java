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
 * The applications of a queue whose ApplicationMasters wait for room, in YARN's order, but looked
 * at no further than to the first that has to go on waiting.
 *
 * <p>YARN looks at all of them whenever an application of the queue comes or goes, thousands in a
 * crowded cluster, and that is most of its time. Here it would find nothing behind the first that
 * does not fit: within one look the limit of the queue's masters and what they have only change
 * when one is let in, all masters of a queue ask for the same, and what one user's masters may have
 * (user-limit-factor is huge) is never less than what all may have. All that is left out are
 * messages about why each of them waits.
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

      /** Let in: the scheduler takes it off the waiting ones. */
      @Override
      public void remove() {
        lastOneStays = false;
        all.remove();
      }
    };
  }
}
