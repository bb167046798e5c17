/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Counts the outstanding best-effort containers of all applications and shares what the limits of
 * queues and users leave. Safe for use by many threads.
 *
 * <p>Sharing is max-min fair among the applications of a queue, and of a user, that want more than
 * they have: none of them gets asks above an equal share while another one waits below its own.
 * Containers that live are never taken back. An application that waits for its user's limit is not
 * counted as waiting for its queue's, and the other way round, so that it holds up nobody there.
 */
final class OutstandingLedger {

  /** Whom the containers of an application are counted for. */
  record Owner(String queuePath, String user) {}

  /**
   * What an application may ask for now.
   *
   * @param asks containers that it may have asked for and not yet been given
   * @param binding the limit that keeps it from more
   */
  record Grant(long asks, Binding binding) {}

  /** The limit that keeps an application from more. */
  enum Binding {
    NONE,
    QUEUE,
    USER
  }

  private static final class Entry {
    private Owner owner;
    private long asked;
    private long live;
    private Binding waitsFor = Binding.NONE;

    private long outstanding() {
      return asked + live;
    }
  }

  private final BestEffortLimits limits;
  private final Map<ApplicationId, Entry> entries = new HashMap<>();

  OutstandingLedger(BestEffortLimits limits) {
    this.limits = limits;
  }

  /**
   * Decides how many containers an application may have asked for, and counts them at once, so that
   * another application that asks at the same time does not get the same room.
   *
   * @param wanted all containers that it wants and has not got
   */
  synchronized Grant claim(ApplicationId application, Owner owner, long wanted) {
    Entry entry = entries.computeIfAbsent(application, id -> new Entry());
    entry.owner = owner;
    String queue = owner.queuePath();
    String user = owner.user();
    long inQueue =
        asksWithin(
            limits.ofQueue(queue),
            entry,
            Binding.QUEUE,
            other -> other.owner.queuePath().equals(queue));
    long ofUser =
        asksWithin(limits.perUser(), entry, Binding.USER, other -> other.owner.user().equals(user));
    entry.asked = Math.min(wanted, Math.min(inQueue, ofUser));
    if (entry.asked == wanted) {
      entry.waitsFor = Binding.NONE;
    } else {
      entry.waitsFor = inQueue <= ofUser ? Binding.QUEUE : Binding.USER;
    }
    return new Grant(entry.asked, entry.waitsFor);
  }

  /** Whether an application has claimed something and not been released since. */
  synchronized boolean knows(ApplicationId application) {
    return entries.containsKey(application);
  }

  /** Counts containers that live already when their application claims for the first time. */
  synchronized void open(ApplicationId application, Owner owner, long live) {
    Entry entry = entries.computeIfAbsent(application, id -> new Entry());
    entry.owner = owner;
    entry.live = live;
  }

  /** Corrects an application's numbers to what YARN has; no effect if it never claimed any. */
  synchronized void settle(ApplicationId application, long asked, long live) {
    Entry entry = entries.get(application);
    if (entry != null) {
      entry.asked = asked;
      entry.live = live;
    }
  }

  /** Corrects only the number of containers that live. */
  synchronized void settleLive(ApplicationId application, long live) {
    Entry entry = entries.get(application);
    if (entry != null) {
      entry.live = live;
    }
  }

  /** Gives back all that an application held. */
  synchronized void release(ApplicationId application) {
    entries.remove(application);
  }

  /** Outstanding containers of one queue. */
  synchronized long outstandingInQueue(String queuePath) {
    return outstanding(entry -> entry.owner.queuePath().equals(queuePath));
  }

  /** Outstanding containers of one user. */
  synchronized long outstandingOfUser(String user) {
    return outstanding(entry -> entry.owner.user().equals(user));
  }

  private long outstanding(Predicate<Entry> group) {
    return entries.values().stream().filter(group).mapToLong(Entry::outstanding).sum();
  }

  private long asksWithin(long limit, Entry entry, Binding kind, Predicate<Entry> group) {
    if (limit == Settings.UNLIMITED) {
      return limit;
    }
    long others = 0;
    long contented = 0;
    long waiting = 0;
    for (Entry other : entries.values()) {
      if (other != entry && group.test(other)) {
        others += other.outstanding();
        if (other.waitsFor == kind) {
          waiting++;
        } else {
          contented += other.outstanding();
        }
      }
    }
    long most = limit - others;
    if (waiting > 0) {
      // Rounded up, or a remainder would stay unused.
      long share = (Math.max(0, limit - contented) + waiting) / (waiting + 1);
      most = Math.min(most, Math.max(share, entry.live));
    }
    return Math.max(0, most - entry.live);
  }
}
