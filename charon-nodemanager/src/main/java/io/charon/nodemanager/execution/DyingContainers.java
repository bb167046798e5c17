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
 * Who is dying on this node, whoever decided it: the kernel killer, the user-space killer, the
 * memory regulator, the pause, or YARN. One shortage of memory is to cost one container, so a
 * killer asks here before it takes another. Thread-safe.
 */
public final class DyingContainers {
  /** How long a victim may take to be gone before another one dies (ours; paper: up to 2.7 s). */
  public static final Duration GRACE = Duration.ofSeconds(3);

  /**
   * Somebody who was asked to end, and has a grace for that.
   *
   * @param mechanism who asked
   * @param kill what is done when the grace is over
   * @param sinceNanos when it was asked
   */
  record Asked(String mechanism, Action.Kill kill, long sinceNanos) {}

  private final LongSupplier nanoClock;
  private final Runnable news;
  private final Map<String, Long> since = new HashMap<>();
  private final Map<String, Asked> asked = new HashMap<>();

  /**
   * Nobody is dying yet.
   *
   * @param nanoClock monotonic nanoseconds
   * @param news adds whoever was killed by somebody who does not say so; asked before each kill,
   *     must not block
   */
  public DyingContainers(LongSupplier nanoClock, Runnable news) {
    this.nanoClock = nanoClock;
    this.news = news;
  }

  /** A container was sent, or is about to be sent, a signal that ends it. */
  public synchronized void add(String containerId) {
    if (!contains(containerId)) {
      since.put(containerId, nanoClock.getAsLong());
    }
  }

  /**
   * Asks for a victim.
   *
   * @param containerId who is to die
   * @param instead if one of these is dying, that has to do
   * @return whether it is dying from now on, by the asker's hand
   */
  public boolean claim(String containerId, Collection<String> instead) {
    news.run();
    return claimKnown(containerId, instead);
  }

  private synchronized boolean claimKnown(String containerId, Collection<String> instead) {
    if (contains(containerId) || anyOf(instead)) {
      return false;
    }
    add(containerId);
    return true;
  }

  /** Whether a container is dying; one that does not go counts no more after {@link #GRACE}. */
  public synchronized boolean contains(String containerId) {
    Long began = since.get(containerId);
    return began != null && nanoClock.getAsLong() - began < GRACE.toNanos();
  }

  /** Whether any of these is dying. */
  public synchronized boolean anyOf(Collection<String> containerIds) {
    return containerIds.stream().anyMatch(this::contains);
  }

  /**
   * A container was asked to end. To whoever needs memory at once it is one that was killed: after
   * {@link #GRACE} it may be, whatever its own grace is.
   */
  synchronized void asked(String mechanism, Action.Kill kill) {
    asked.put(kill.target(), new Asked(mechanism, kill, nanoClock.getAsLong()));
  }

  /** Those whose grace is over; they are forgotten, and are dying by a kill from now on. */
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

  /** Whether a container is dying, or was asked to end and has not yet. */
  public synchronized boolean isEnding(String containerId) {
    return contains(containerId) || asked.containsKey(containerId);
  }

  /**
   * A container is production now: nobody ends it any more.
   *
   * @return whether it had been asked to end and nothing worse
   */
  public synchronized boolean spare(String containerId) {
    boolean onlyAsked = asked.containsKey(containerId);
    remove(containerId);
    return onlyAsked;
  }

  /** A container is gone, or could not be killed. */
  public synchronized void remove(String containerId) {
    since.remove(containerId);
    asked.remove(containerId);
  }
}
