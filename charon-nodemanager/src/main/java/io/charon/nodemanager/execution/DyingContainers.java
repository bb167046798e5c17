/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.mechanism.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The containers that are dying on this node, whatever decided their end: the kernel killer, the
 * user-space killer, the memory regulator, the freeze, or YARN. One shortage of memory must not
 * cost more than one container, so a killer checks here before it kills another. Thread-safe.
 */
public final class DyingContainers {
  /**
   * How long a victim may take to end before another may be killed (our choice; paper: up to 2.7
   * s).
   */
  public static final Duration GRACE = Duration.ofSeconds(3);

  /**
   * A container that was asked to end within a grace period.
   *
   * @param mechanism the mechanism that asked
   * @param kill the kill that follows the grace period
   * @param sinceNanos when it was asked, monotonic
   */
  record Asked(String mechanism, Action.Kill kill, long sinceNanos) {}

  private final LongSupplier nanoClock;
  private final Runnable news;
  private final Map<String, Long> since = new HashMap<>();
  private final Map<String, Asked> asked = new HashMap<>();

  /**
   * Creates an instance without dying containers.
   *
   * @param nanoClock monotonic nanoseconds
   * @param news adds containers that were killed without a report; called before each kill, must
   *     not block
   */
  public DyingContainers(LongSupplier nanoClock, Runnable news) {
    this.nanoClock = nanoClock;
    this.news = news;
  }

  /** Adds a container that was sent, or is about to be sent, a signal that ends it. */
  public synchronized void add(String containerId) {
    if (!contains(containerId)) {
      since.put(containerId, nanoClock.getAsLong());
    }
  }

  /** Adds a container that a killer kills; an earlier request to end it no longer applies. */
  public synchronized void killed(String containerId) {
    asked.remove(containerId);
    add(containerId);
  }

  /**
   * Claims a victim.
   *
   * @param containerId the victim
   * @param instead containers of which one that is already dying makes the claim unnecessary
   * @return whether the claim succeeded; false if the victim or one of {@code instead} is dying
   */
  public boolean claim(String containerId, Collection<String> instead) {
    news.run();
    return claimKnown(containerId, instead);
  }

  private synchronized boolean claimKnown(String containerId, Collection<String> instead) {
    if (contains(containerId) || anyOf(instead)) {
      return false;
    }
    killed(containerId);
    return true;
  }

  /** Returns whether a container is dying; it no longer counts as dying after {@link #GRACE}. */
  public synchronized boolean contains(String containerId) {
    Long began = since.get(containerId);
    return began != null && nanoClock.getAsLong() - began < GRACE.toNanos();
  }

  /** Returns whether any of these containers is dying. */
  public synchronized boolean anyOf(Collection<String> containerIds) {
    return containerIds.stream().anyMatch(this::contains);
  }

  /**
   * Records that a container is being asked to end. A mechanism that needs memory at once treats it
   * like a killed one: it may kill it after {@link #GRACE}, whatever the container's own grace
   * period is.
   */
  synchronized void asked(String mechanism, Action.Kill kill) {
    asked.put(kill.target(), new Asked(mechanism, kill, nanoClock.getAsLong()));
  }

  /** Forgets a request to end that could not be sent. */
  synchronized void notAsked(String containerId) {
    asked.remove(containerId);
  }

  /**
   * Removes and returns the containers whose grace period has ended; they are dying from now on.
   */
  synchronized List<Asked> overdue() {
    long now = nanoClock.getAsLong();
    List<Asked> over = new ArrayList<>();
    for (Asked one : List.copyOf(asked.values())) {
      String containerId = one.kill().target();
      if (now - one.sinceNanos() >= one.kill().grace().toNanos()) {
        asked.remove(containerId);
        since.put(containerId, now);
        over.add(one);
      }
    }
    return over;
  }

  /** Returns whether a container is dying, or was asked to end and has not ended. */
  public synchronized boolean isEnding(String containerId) {
    return contains(containerId) || asked.containsKey(containerId);
  }

  /**
   * Removes a container that became production and must not be ended any more.
   *
   * @return whether it had been asked to end, within a grace period that has not passed
   */
  public synchronized boolean spare(String containerId) {
    boolean onlyAsked = asked.containsKey(containerId);
    remove(containerId);
    return onlyAsked;
  }

  /** Removes a container that has ended or could not be killed. */
  public synchronized void remove(String containerId) {
    since.remove(containerId);
    asked.remove(containerId);
  }
}
