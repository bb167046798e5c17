/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Counts the outstanding best-effort containers of all applications, and divides the limits of
 * queues and users among applications and the cluster's places among users. Thread-safe.
 *
 * <p>The division is max-min fair among the applications of a queue, and of a user, that want more
 * than they have: none of them gets asks above an equal share while another one waits below its
 * own. Running containers are never reclaimed. An application that waits for its user's limit does
 * not count as waiting for its queue's limit, and vice versa, so it does not hold back other
 * applications there.
 *
 * <p>Among users the same rule applies even without any limit ({@link UserShare}), so that the
 * first user leaves places to the next. An application may hold back others only if it can take the
 * places that they leave. It cannot if it has reached its own limit, if it got nothing while places
 * stayed free, or if it has not called for {@link #TIMEOUT} reviews.
 */
final class OutstandingContainers {
  /**
   * Number of reviews, about one per second, after which an application that does not call no
   * longer holds back others (our choice): ApplicationMasters call every 1 s (MapReduce) to 3 s
   * (Spark).
   */
  static final int TIMEOUT = 10;

  /**
   * Number of consecutive reviews in which an application asked and got nothing while places stayed
   * free, after which it no longer holds back others (our choice). A single review would not be
   * enough, because another application may have been faster.
   */
  static final int REFUSALS = 3;

  /** Number of such reviews after which its refusals are counted from 0 again. */
  private static final int TRY_AGAIN = 30;

  /** The queue and user for which the containers of an application are counted. */
  record Owner(String queuePath, String user) {}

  /**
   * The number of containers that an application may ask for now.
   *
   * @param asks containers that may be requested and not yet allocated
   * @param binding the limit that prevents more
   */
  record Grant(long asks, Binding binding) {}

  /** The limit that prevents an application from asking for more. */
  enum Binding {
    NONE,
    QUEUE,
    USER,
    /** An equal share of the cluster's places for each user. */
    SHARE;

    private String group(Owner owner) {
      return this == QUEUE ? owner.queuePath() : owner.user();
    }
  }

  private static final class Entry {
    private Owner owner;
    private long asked;
    private long live;
    private Binding waitsFor = Binding.NONE;

    /**
     * Containers that the application wanted at its last call, within its limits, and did not get
     * in that call.
     */
    private long unmet;

    /** Whether it has asked and got nothing since the last review. */
    private boolean refused;

    private int refusals;
    private int reviewsWithoutCall;

    Entry(Owner owner) {
      this.owner = owner;
    }

    private long outstanding() {
      return asked + live;
    }

    private boolean holdsBackOthers() {
      return unmet > 0 && refusals < REFUSALS && reviewsWithoutCall <= TIMEOUT;
    }

    private void review(boolean placesStayedFree) {
      reviewsWithoutCall++;
      if (refused && placesStayedFree) {
        refusals = (refusals + 1) % TRY_AGAIN;
      }
      refused = false;
    }
  }

  /** Sums over the applications of one queue or user, so that a claim need not visit the others. */
  private static final class Tally {
    private int applications;
    private long outstanding;
    private int waiting;
    private long outstandingOfWaiting;

    private void add(Entry entry, Binding kind, int sign) {
      applications += sign;
      outstanding += sign * entry.outstanding();
      if (entry.waitsFor == kind) {
        waiting += sign;
        outstandingOfWaiting += sign * entry.outstanding();
      }
    }
  }

  private record Group(Binding kind, String name) {}

  private static final Tally NOBODY = new Tally();

  private final Supplier<BestEffortLimits> limits;
  private final Map<ApplicationId, Entry> entries = new HashMap<>();
  private final Map<Group, Tally> tallies = new HashMap<>();
  private long share = Settings.UNLIMITED;

  /** The only waiting user, if there is exactly one; the share does not apply to it. */
  private Optional<String> onlyWaiting = Optional.empty();

  /** Whether places were free at the last review. */
  private boolean places;

  OutstandingContainers(Supplier<BestEffortLimits> limits) {
    this.limits = limits;
  }

  /**
   * Decides how many containers an application may ask for and counts them at once, so that a
   * concurrent application does not get the same room.
   *
   * @param wanted all containers that it wants and does not have
   */
  synchronized Grant claim(ApplicationId application, Owner owner, long wanted) {
    BestEffortLimits now = limits.get();
    Entry entry = take(application, owner);
    entry.owner = owner;
    long inQueue = asksWithin(now.ofQueue(owner.queuePath()), entry, Binding.QUEUE);
    long ofUser = asksWithin(now.perUser(), entry, Binding.USER);
    long inShare = asksWithin(shareOf(owner.user()), entry, Binding.SHARE);
    entry.unmet = Math.min(wanted, Math.min(inQueue, ofUser));
    entry.asked = Math.min(entry.unmet, inShare);
    entry.waitsFor = binding(entry.asked, wanted, inQueue, ofUser);
    entry.reviewsWithoutCall = 0;
    put(application, entry);
    return new Grant(entry.asked, entry.waitsFor);
  }

  private static Binding binding(long asked, long wanted, long inQueue, long ofUser) {
    if (asked == wanted) {
      return Binding.NONE;
    } else if (asked < Math.min(inQueue, ofUser)) {
      return Binding.SHARE;
    } else {
      return inQueue <= ofUser ? Binding.QUEUE : Binding.USER;
    }
  }

  /** Returns whether an application has claimed containers and not been released since. */
  synchronized boolean knows(ApplicationId application) {
    return entries.containsKey(application);
  }

  /** Counts containers that are alive before their application claims for the first time. */
  synchronized void open(ApplicationId application, Owner owner, long live) {
    Entry entry = take(application, owner);
    entry.owner = owner;
    entry.live = live;
    put(application, entry);
  }

  /**
   * Corrects an application's numbers to those of YARN after its call; has no effect if it never
   * claimed any.
   */
  synchronized void settle(ApplicationId application, long asked, long live) {
    Entry known = entries.get(application);
    if (known != null) {
      Entry entry = take(application, known.owner);
      long given = Math.max(0, entry.asked - asked);
      entry.refused = given == 0 && (entry.refused || entry.asked > 0);
      entry.refusals = given == 0 ? entry.refusals : 0;
      entry.unmet = Math.max(0, entry.unmet - given);
      entry.asked = asked;
      entry.live = live;
      put(application, entry);
    }
  }

  /** Corrects only the number of live containers. */
  synchronized void settleLive(ApplicationId application, long live) {
    Entry known = entries.get(application);
    if (known != null) {
      Entry entry = take(application, known.owner);
      entry.live = live;
      put(application, entry);
    }
  }

  /**
   * Divides the cluster's places among users again; to be called about once a second. Between two
   * reviews, users above the share ask for nothing, and users below it take places that become
   * free.
   *
   * @param free free places for best-effort containers; the live ones have the others
   */
  synchronized void review(long free) {
    Map<String, UserShare.Demand> users = new HashMap<>();
    long live = entries.values().stream().mapToLong(entry -> entry.live).sum();
    boolean placesBefore = places;
    places = free > 0;
    for (Entry entry : entries.values()) {
      entry.review(placesBefore && places);
      users.merge(
          entry.owner.user(),
          new UserShare.Demand(entry.live, entry.holdsBackOthers() ? entry.unmet : 0),
          (one, other) ->
              new UserShare.Demand(one.live() + other.live(), one.unmet() + other.unmet()));
    }
    List<String> waiting =
        users.keySet().stream().filter(user -> users.get(user).unmet() > 0).limit(2).toList();
    onlyWaiting = waiting.size() == 1 ? Optional.of(waiting.get(0)) : Optional.empty();
    share =
        limits.get().fairSharePerUser()
            ? UserShare.of(live + free, users.values())
            : Settings.UNLIMITED;
  }

  /** Returns the most containers that a user may have or ask for now, see {@link UserShare}. */
  synchronized long shareOf(String user) {
    return onlyWaiting.filter(user::equals).isPresent() ? Settings.UNLIMITED : share;
  }

  /** Releases all containers counted for an application. */
  synchronized void release(ApplicationId application) {
    Entry entry = entries.remove(application);
    if (entry != null) {
      count(entry, -1);
    }
  }

  /** Returns the outstanding containers of one queue. */
  synchronized long outstandingInQueue(String queuePath) {
    return tally(Binding.QUEUE, queuePath).outstanding;
  }

  /** Returns the outstanding containers of one user. */
  synchronized long outstandingOfUser(String user) {
    return tally(Binding.USER, user).outstanding;
  }

  /** Takes out the application's entry, which is not counted until it is put back. */
  private Entry take(ApplicationId application, Owner owner) {
    Entry entry = entries.remove(application);
    if (entry == null) {
      return new Entry(owner);
    }
    count(entry, -1);
    return entry;
  }

  private void put(ApplicationId application, Entry entry) {
    entries.put(application, entry);
    count(entry, 1);
  }

  private void count(Entry entry, int sign) {
    for (Binding kind : Binding.values()) {
      if (kind != Binding.NONE) {
        Group group = new Group(kind, kind.group(entry.owner));
        Tally tally = tallies.computeIfAbsent(group, unknown -> new Tally());
        tally.add(entry, kind, sign);
        if (tally.applications == 0) {
          tallies.remove(group);
        }
      }
    }
  }

  private Tally tally(Binding kind, String name) {
    return tallies.getOrDefault(new Group(kind, name), NOBODY);
  }

  /**
   * Returns the number of containers that an entry, which has been taken out, may ask for besides
   * the others of its group.
   */
  private long asksWithin(long limit, Entry entry, Binding kind) {
    if (limit == Settings.UNLIMITED) {
      return limit;
    }
    Tally others = tally(kind, kind.group(entry.owner));
    long most = limit - others.outstanding;
    if (others.waiting > 0) {
      long contented = others.outstanding - others.outstandingOfWaiting;
      // Rounded up, because a remainder would otherwise stay unused.
      long equal = (Math.max(0, limit - contented) + others.waiting) / (others.waiting + 1);
      most = Math.min(most, Math.max(equal, entry.live));
    }
    return Math.max(0, most - entry.live);
  }
}
