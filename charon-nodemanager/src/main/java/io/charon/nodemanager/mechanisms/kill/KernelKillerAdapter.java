/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerPlaces;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the kernel killer to this node: registers containers with it, and turns its kills into
 * kills of YARN's containers. The kernel killer is in charge only while it is loaded and nothing
 * would keep it from killing; otherwise the state holds the reason. A helper that hangs blocks a
 * tick, and all launches until the next tick, for 200 ms in sum, besides 20 ms for each request
 * that it answers. Thread-safe.
 */
public final class KernelKillerAdapter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KernelKillerAdapter.class);

  /**
   * Limit of the time spent waiting for late answers between two ticks. It is longer than a thread
   * waits for a CPU on a busy machine.
   */
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  /**
   * The state for status pages and metrics.
   *
   * @param inCharge whether the kernel killer is able to kill
   * @param tier the loaded tier; empty if none is loaded
   * @param reason why this tier is loaded, or why none is, or why it could not kill; one line
   * @param domain root cgroup of this node's domain; empty if there is none
   * @param foreignRegistrations registrations in this node's domain that are not this NodeManager's
   */
  public record State(
      boolean inCharge,
      Optional<KernelTier> tier,
      String reason,
      Optional<String> domain,
      int foreignRegistrations) {
    /** Returns the same state, not in charge. */
    public State notInCharge(String why) {
      return new State(false, tier, why, domain, foreignRegistrations);
    }
  }

  private final KernelKillerConnection link;
  private final KernelRegistrations registrations;
  private final Obstacles obstacles;
  private final EarlierKills earlier;
  private final Promotions promotions;
  private final KernelKillListener listener;
  private final LongSupplier nanoClock;
  private final KernelKillReader kills;
  private final ChargeDebouncer charge = new ChargeDebouncer();
  private final ReentrantLock lock = new ReentrantLock();
  private long loadedNanos;
  private volatile State state =
      new State(false, Optional.empty(), "not checked yet", Optional.empty(), 0);

  /**
   * Creates an adapter that has not looked for a killer yet.
   *
   * @param link finds the loaded killer
   * @param registrations registers containers and services
   * @param obstacles finds what would keep the killer from killing
   * @param earlier kills while no NodeManager was running
   * @param promotions completes, by the helper, promotions that this NodeManager cannot
   * @param listener receives the kills of this node
   * @param nanoClock monotonic nanoseconds, the clock of the kernel's records
   */
  KernelKillerAdapter(
      KernelKillerConnection link,
      KernelRegistrations registrations,
      Obstacles obstacles,
      EarlierKills earlier,
      Promotions promotions,
      KernelKillListener listener,
      LongSupplier nanoClock) {
    this.link = link;
    this.registrations = registrations;
    this.obstacles = obstacles;
    this.earlier = earlier;
    this.promotions = promotions;
    this.listener = listener;
    this.nanoClock = nanoClock;
    this.kills = new KernelKillReader(registrations, earlier, listener, nanoClock);
  }

  /**
   * Returns the adapter of this node.
   *
   * @param settings how the kernel killer is used
   * @param layout where containers have their cgroups, or would
   * @param watched where the kernel killer finds containers
   * @param services the services outside YARN that it watches
   * @param left ids of the containers that an earlier NodeManager left, by cgroup id
   * @param running all containers of the node
   * @param outside the containers that run outside of their cgroups
   * @param listener receives the kills of this node
   * @param nanoClock monotonic nanoseconds, the clock of the kernel's records
   */
  public static KernelKillerAdapter of(
      KernelKillerSettings settings,
      CgroupLayout layout,
      WatchedCgroups watched,
      WatchedServices services,
      Map<Long, String> left,
      Supplier<Collection<ContainerInfo>> running,
      Supplier<ContainerPlaces.Outside> outside,
      KernelKillListener listener,
      LongSupplier nanoClock) {
    return new KernelKillerAdapter(
        new KernelKillerConnection(
            () -> KernelKiller.open(settings.socket(), TIMEOUT), watched, rule(settings)),
        new KernelRegistrations(watched.places(), services, left.keySet()),
        new Obstacles(new TasksInReach(running, outside)),
        new EarlierKills(left),
        new Promotions(layout),
        listener,
        nanoClock);
  }

  /** Returns whether the kernel killer protects this node now, so that no other killer has to. */
  public boolean inCharge() {
    return state.inCharge();
  }

  /** Returns the state as of the last tick, for status pages and metrics. */
  public State state() {
    return state;
  }

  /**
   * Follows the loaded killer, updates its registrations, reads its kills and checks whether it is
   * able to kill. If any of this fails, the kernel killer is not in charge.
   */
  public void tick() {
    lock.lock();
    State found =
        state.notInCharge("the check of the kernel killer failed; see the NodeManager's log");
    try {
      Optional<KernelKillerConnection.Connected> before = link.connected();
      Optional<KernelKillerConnection.Connected> now = link.follow();
      if (!now.equals(before)) {
        now.ifPresent(connected -> follow(connected.killer()));
      }
      found = now.map(this::work).orElseGet(this::absent);
    } finally {
      say(found);
      state = found;
      lock.unlock();
    }
  }

  /** Resets the state that depends on decision numbers if another killer was loaded. */
  private void follow(KernelKiller killer) {
    if (killer.loadedNanos() != loadedNanos) {
      loadedNanos = killer.loadedNanos();
      obstacles.forget(killer);
      kills.forget();
    }
  }

  /** Logs each change once. The connection logs whether a killer is loaded. */
  private void say(State found) {
    if (found.tier().isEmpty() || found.equals(state)) {
      return;
    }
    if (found.inCharge()) {
      LOG.info("the kernel killer is in charge: {}", found.reason());
    } else {
      LOG.warn("the kernel killer is not in charge: {}", found.reason());
    }
  }

  /**
   * Applies a new killing rule.
   *
   * @throws KernelKillerException if the loaded killer refuses it
   */
  public void change(KernelKillerSettings wanted) throws KernelKillerException {
    lock.lock();
    try {
      link.change(rule(wanted));
    } finally {
      lock.unlock();
    }
  }

  private static DomainSettings rule(KernelKillerSettings settings) {
    return new DomainSettings(
        settings.thrashingTolerance(), settings.policy(), settings.owedTolerance());
  }

  /**
   * Removes the registrations of this NodeManager and of an earlier one, and disconnects, so that
   * the kernel killer kills no container. A container that starts at the same time is not
   * registered.
   *
   * @param left cgroup ids of the containers that an earlier NodeManager left
   * @return whether they are removed; if not, call this again, because the killer kills by itself
   */
  public boolean withdraw(Set<Long> left) {
    lock.lock();
    try {
      boolean done = link.follow().map(connected -> withdraw(connected, left)).orElse(false);
      link.close();
      return done;
    } finally {
      lock.unlock();
    }
  }

  private boolean withdraw(KernelKillerConnection.Connected connected, Set<Long> left) {
    kills.read(connected);
    try {
      registrations.withdraw(connected, left);
      return true;
    } catch (KernelKillerException e) {
      LOG.warn(
          "cannot withdraw the registrations; the kernel killer may kill on this node until they are"
              + " withdrawn",
          e);
      return false;
    }
  }

  /** Registers a container that has its cgroup and is about to start. */
  public void started(ContainerInfo info) {
    locked(() -> started(info, nanoClock.getAsLong()));
  }

  /**
   * Registers a container that was found after a restart, and reports its kill if it was killed.
   */
  public void reacquired(ContainerInfo info) {
    locked(
        () -> {
          started(info, 0);
          earlier
              .reacquired(info.containerId())
              .ifPresent(kill -> listener.killed(info.containerId(), kill));
        });
  }

  /**
   * Handles a change of a container's class. The container is unregistered before its processes
   * move, so that a container that is production already cannot be killed as best-effort. The
   * helper moves the processes that this NodeManager may not move.
   *
   * @param move moves the processes to the new class's cgroup, and returns why it could not
   * @return why processes may be left in the cgroup of the old class; empty if none are
   */
  public Optional<String> changed(ContainerInfo info, Supplier<Optional<String>> move) {
    lock.lock();
    try {
      readKills(); // while the cgroup of the old class still names the container
      long startNanos = registrations.startNanos(info.containerId());
      registrations.stopped(info.containerId(), link.connected());
      Optional<String> refusal = move.get();
      Optional<String> unfinished =
          link.connected().flatMap(connected -> promotions.finish(info, connected));
      started(info, startNanos);
      return unfinished.or(() -> refusal);
    } finally {
      lock.unlock();
    }
  }

  /** Updates the entitlement of a container that was resized, at the next tick. */
  public void resized(ContainerInfo info) {
    locked(() -> registrations.resized(info));
  }

  /** Unregisters a container that has ended; call {@link #readKills} first, as it may be killed. */
  public void stopped(String containerId) {
    locked(
        () -> {
          registrations.stopped(containerId, link.connected());
          earlier.stopped(containerId);
        });
  }

  /** Reads new kills; for callers that have to explain a container's end before the next tick. */
  public void readKills() {
    locked(() -> link.connected().ifPresent(kills::read));
  }

  /** Reads new kills unless another thread holds the lock; for a killer that must not wait. */
  public void readKillsAtOnce() {
    if (lock.tryLock()) {
      try {
        link.connected().ifPresent(kills::read);
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    locked(link::close);
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private void started(ContainerInfo info, long startNanos) {
    registrations.started(info, startNanos, earlier.cgroups(info.containerId()));
    link.connected().ifPresent(this::sync);
  }

  private State work(KernelKillerConnection.Connected connected) {
    Optional<String> unseen = check(connected);
    Optional<String> unregistered = sync(connected);
    kills.read(connected);
    KernelKiller killer = connected.killer();
    State loaded =
        new State(
            true,
            Optional.of(killer.tier()),
            killer.reason() + registrations.remarks(),
            Optional.of(connected.root().toString()),
            registrations.foreign());
    if (!killer.effective()) {
      charge.lose();
      return loaded.notInCharge(
          "its helper is not running, so no container would be killed; start `ua-killer reap`");
    }
    Optional<String> obstacle = obstacle(unseen.or(() -> unregistered));
    return charge.judge(obstacle)
        ? loaded
        : loaded.notInCharge(
            obstacle.orElse("it can kill again, to be confirmed at the next tick"));
  }

  private Optional<String> obstacle(Optional<String> unregistered) {
    try {
      return obstacles.find(link, registrations.registeredContainers(), unregistered);
    } catch (KernelKillerException e) {
      charge.lose();
      return Optional.of("its helper does not answer: " + e.getMessage());
    }
  }

  private State absent() {
    charge.lose();
    return new State(false, Optional.empty(), link.state(), Optional.empty(), 0);
  }

  /** Reads the registrations, and returns why they cannot be read; empty if they can. */
  private Optional<String> check(KernelKillerConnection.Connected connected) {
    try {
      registrations.readRegistrations(connected);
      return Optional.empty();
    } catch (KernelKillerException e) {
      charge.lose();
      return Optional.of("cannot read the registrations: " + e.getMessage());
    }
  }

  /** Updates the registrations, and returns what could not be registered; empty if nothing. */
  private Optional<String> sync(KernelKillerConnection.Connected connected) {
    try {
      return registrations.sync(connected);
    } catch (KernelKillerException e) {
      charge.lose();
      return Optional.of("cannot update the registrations: " + e.getMessage());
    }
  }
}
