/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides how many containers an application may ask for now, and logs why not more. */
final class QuotaEnforcer {

  private static final Logger LOG = LoggerFactory.getLogger(QuotaEnforcer.class);

  private final Supplier<BestEffortLimits> limits;
  private final OutstandingContainers ledger;
  private final Set<ApplicationId> logged = ConcurrentHashMap.newKeySet();

  QuotaEnforcer(Supplier<BestEffortLimits> limits) {
    this.limits = limits;
    ledger = new OutstandingContainers(limits);
  }

  long maxRecords() {
    return limits.get().recordsPerApplication();
  }

  /**
   * Finds room for the containers that an application wants, and claims it.
   *
   * @param wanted all containers that it wants and does not have
   * @param live counts the containers that it has; called only at the application's first call
   * @return containers that YARN may be asked for, at most {@code wanted}
   */
  long room(
      ApplicationId application,
      OutstandingContainers.Owner owner,
      long wanted,
      LongSupplier live) {
    long most = Math.min(wanted, limits.get().asksPerApplication());
    // After a restart of the ResourceManager, an application already has containers.
    if (!ledger.knows(application)) {
      ledger.open(application, owner, live.getAsLong());
    }
    OutstandingContainers.Grant grant = ledger.claim(application, owner, most);
    if (grant.asks() < wanted && logged.add(application)) {
      LOG.info(
          "{} wants {} best-effort containers, {} of them are requested now, because {}. The "
              + "others wait until the limit allows them.",
          application,
          wanted,
          grant.asks(),
          reason(owner, grant.binding()));
    }
    return grant.asks();
  }

  /** Corrects an application's numbers to those of YARN. */
  void settle(ApplicationId application, long asked, long live) {
    ledger.settle(application, asked, live);
  }

  /** Corrects only the number of live containers. */
  void settleLive(ApplicationId application, long live) {
    ledger.settleLive(application, live);
  }

  /**
   * Divides the cluster's places among users again.
   *
   * @param free free places for best-effort containers in the whole cluster
   */
  void review(long free) {
    ledger.review(free);
  }

  /** Removes an application and releases all containers counted for it. */
  void release(ApplicationId application) {
    ledger.release(application);
    logged.remove(application);
  }

  private String reason(OutstandingContainers.Owner owner, OutstandingContainers.Binding binding) {
    return switch (binding) {
      case NONE -> BestEffortLimits.ASKS_KEY + " is " + limits.get().asksPerApplication();
      case QUEUE ->
          "%s is %d and %d are outstanding in queue %s"
              .formatted(
                  limits.get().keyOfQueue(owner.queuePath()),
                  limits.get().ofQueue(owner.queuePath()),
                  ledger.outstandingInQueue(owner.queuePath()),
                  owner.queuePath());
      case USER ->
          "%s is %d and %d are outstanding of user %s"
              .formatted(
                  BestEffortLimits.PER_USER_KEY,
                  limits.get().perUser(),
                  ledger.outstandingOfUser(owner.user()),
                  owner.user());
      case SHARE ->
          "other users wait, an equal share is %d and %d are outstanding of user %s (%s)"
              .formatted(
                  ledger.shareOf(owner.user()),
                  ledger.outstandingOfUser(owner.user()),
                  owner.user(),
                  BestEffortLimits.SHARE_KEY);
    };
  }
}
