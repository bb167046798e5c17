/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.container.ContainerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel killer as this node uses it: it is told who runs, and its kills become kills of YARN's
 * containers. Where none is loaded, or its helper is missing, it is simply not in charge. A helper
 * that hangs blocks a tick and all launches until the next one for 200 ms in sum. Thread-safe.
 */
public final class KernelGuard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KernelGuard.class);

  /**
   * What the helper's answers may cost between two ticks, together; longer than a thread waits for
   * a CPU on a busy machine.
   */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** After this a release is not expected any more; the helper gives up after 5 s. */
  private static final Duration RELEASE_EXPECTED = Duration.ofSeconds(10);

  /** What people see of a series before the thrash began. */
  private static final Duration SHOWN_BEFORE = Duration.ofSeconds(1);

  /**
   * What people and metrics are told.
   *
   * @param inCharge whether kills happen
   * @param tier which one is loaded, if any
   * @param reason why this tier, or why none; one line
   * @param domain root cgroup of this node's domain, if there is one
   */
  public record State(
      boolean inCharge, Optional<KernelTier> tier, String reason, Optional<String> domain) {}

  private final KernelLink link;
  private final KernelRegistrations registrations;
  private final KernelKillListener listener;
  private final LongSupplier nanoClock;
  private final Map<String, KernelKill> unreleased = new LinkedHashMap<>();
  private long loadedNanos;
  private long lastRead;
  private volatile int foreignRegistrations;
  private volatile State state =
      new State(false, Optional.empty(), "not looked for yet", Optional.empty());

  /**
   * Creates a guard that has not looked for a killer yet.
   *
   * @param link finds the loaded killer
   * @param registrations tells it who runs
   * @param listener told of every victim of this node
   * @param nanoClock monotonic nanoseconds, the clock of the kernel's records
   */
  KernelGuard(
      KernelLink link,
      KernelRegistrations registrations,
      KernelKillListener listener,
      LongSupplier nanoClock) {
    this.link = link;
    this.registrations = registrations;
    this.listener = listener;
    this.nanoClock = nanoClock;
  }

  /**
   * The guard of this node.
   *
   * @param settings how the kernel killer is used
   * @param layout where containers have their cgroups
   * @param listener told of every victim
   */
  public static KernelGuard of(
      KernelKillerSettings settings, CgroupLayout layout, KernelKillListener listener) {
    Path hierarchy = layout.memory().mountPoint();
    return new KernelGuard(
        new KernelLink(
            () -> KernelKiller.open(settings.socket(), PATIENCE),
            layout.nodeDirectory(layout.memory()),
            hierarchy,
            rule(settings)),
        new KernelRegistrations(layout, new CgroupPatterns(hierarchy, settings.watchedCgroups())),
        listener,
        System::nanoTime);
  }

  /** Whether the kernel killer protects this node now, so that nobody else needs to. */
  public boolean inCharge() {
    return state.inCharge();
  }

  /** How many are registered in this node's domain by others than this NodeManager. */
  public int foreignRegistrations() {
    return foreignRegistrations;
  }

  /** What people are told. */
  public State state() {
    return state;
  }

  /** Follows the loaded killer, brings its registrations up to date and reads its kills. */
  public synchronized void tick() {
    Optional<KernelLink.Connected> before = link.connected();
    Optional<KernelLink.Connected> now = link.follow();
    if (!now.equals(before)) {
      now.ifPresent(found -> follow(found.killer()));
    }
    state = now.map(this::work).orElseGet(this::absent);
  }

  /** Decisions are known by their numbers until another killer is loaded. */
  private void follow(KernelKiller killer) {
    if (killer.loadedNanos() != loadedNanos) {
      loadedNanos = killer.loadedNanos();
      unreleased.clear();
      lastRead = 0;
    }
  }

  /**
   * The operator wants another rule.
   *
   * @throws KernelKillerException if the loaded killer does not take it
   */
  public synchronized void change(KernelKillerSettings wanted) throws KernelKillerException {
    link.change(rule(wanted));
  }

  private static DomainSettings rule(KernelKillerSettings settings) {
    return new DomainSettings(settings.thrashingTolerance(), settings.policy());
  }

  /** A container has its cgroup and is about to start. */
  public synchronized void started(ContainerInfo info) {
    started(info, nanoClock.getAsLong());
  }

  /** A container was found running. */
  public synchronized void reacquired(ContainerInfo info) {
    started(info, 0);
  }

  /** A container was promoted or demoted and has its processes in the cgroup of its new class. */
  public synchronized void changed(ContainerInfo info) {
    long startNanos = registrations.startNanos(info.containerId());
    registrations.stopped(info.containerId(), link.connected());
    started(info, startNanos);
  }

  /** A container has ended; its kill, if it was one, is read first. */
  public synchronized void stopped(String containerId) {
    readKills();
    registrations.stopped(containerId, link.connected());
  }

  /**
   * Reads kills that are not known yet; the moment of a container's end is too early for a tick.
   */
  public synchronized void readKills() {
    link.connected().ifPresent(this::readKills);
  }

  @Override
  public synchronized void close() {
    link.close();
  }

  private void started(ContainerInfo info, long startNanos) {
    registrations.started(info, startNanos);
    link.connected().ifPresent(this::sync);
  }

  private State work(KernelLink.Connected connected) {
    look(connected);
    sync(connected);
    readKills(connected);
    KernelKiller killer = connected.killer();
    boolean effective = killer.effective();
    return new State(
        effective,
        Optional.of(killer.tier()),
        effective
            ? killer.reason() + foreign()
            : "its helper does not run, so nobody would be killed; start `ua-killer reap`",
        Optional.of(connected.root().toString()));
  }

  private String foreign() {
    return foreignRegistrations == 0
        ? ""
        : "; %d registrations are not this NodeManager's".formatted(foreignRegistrations);
  }

  private State absent() {
    foreignRegistrations = 0;
    return new State(false, Optional.empty(), link.state(), Optional.empty());
  }

  private void look(KernelLink.Connected connected) {
    try {
      registrations.look(connected);
    } catch (KernelKillerException e) {
      LOG.warn("it cannot be seen what the kernel killer watches: {}", e.getMessage());
    }
    foreignRegistrations = registrations.foreign();
  }

  private void sync(KernelLink.Connected connected) {
    try {
      registrations.sync(connected);
    } catch (KernelKillerException e) {
      LOG.warn("the kernel killer does not watch every container: {}", e.getMessage());
    }
  }

  private void readKills(KernelLink.Connected connected) {
    try {
      for (KernelDecision decision : connected.killer().decisionsSince(lastRead)) {
        lastRead = decision.sequence();
        read(connected, decision);
      }
      followReleases(connected.killer());
    } catch (KernelKillerException e) {
      LOG.warn("kills of the kernel killer cannot be read: {}", e.getMessage());
    }
  }

  private void read(KernelLink.Connected connected, KernelDecision decision)
      throws KernelKillerException {
    Map<Long, String> names = registrations.names();
    String victim = names.get(decision.victim());
    if (victim == null || decision.domain() != connected.domain()) {
      return; // of another domain, or of a NodeManager before this one
    }
    long shownFrom = decision.decisionNanos() - decision.thrashNanos() - SHOWN_BEFORE.toNanos();
    KernelKill kill =
        new KernelKill(
            decision,
            names,
            connected.killer().samples(decision.trigger()).stream()
                .filter(sample -> sample.nanos() >= shownFrom)
                .toList());
    unreleased.put(victim, kill);
    listener.killed(victim, kill);
  }

  /** The memory comes back some milliseconds after the decision was written down. */
  private void followReleases(KernelKiller killer) throws KernelKillerException {
    for (Map.Entry<String, KernelKill> entry : List.copyOf(unreleased.entrySet())) {
      KernelDecision before = entry.getValue().decision();
      Optional<KernelDecision> now =
          killer.decision(before.sequence()).filter(found -> found.release().isPresent());
      if (now.isPresent()) {
        listener.released(entry.getKey(), entry.getValue().with(now.get()));
      }
      if (now.isPresent()
          || nanoClock.getAsLong() - before.decisionNanos() > RELEASE_EXPECTED.toNanos()) {
        unreleased.remove(entry.getKey());
      }
    }
  }
}
