/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.ContainerInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The killers that free memory on a node according to its mode: the kernel killer in mode enforce,
 * and the user-space killer wherever the kernel killer is not in charge. Thread-safe.
 */
public final class NodeKillers implements AutoCloseable {
  /**
   * Longest time that the user-space killer waits for the first check of the kernel killer (our
   * choice); a check takes well below a second.
   */
  private static final Duration MAX_FIRST_CHECK = Duration.ofSeconds(3);

  private final Function<CharonSettings, Optional<KernelKillerAdapter>> kernels;
  private final Function<CharonSettings, Optional<UserSpaceKiller>> userSpaces;
  private final Supplier<Optional<String>> late;
  private final Set<Long> left;
  private final LongSupplier nanoClock;
  private volatile Mode mode;
  private volatile Optional<KernelKillerAdapter> kernel = Optional.empty();
  private volatile Optional<UserSpaceKiller> userSpace = Optional.empty();

  private volatile boolean checked;
  private volatile long startedNanos;

  /** A kernel killer that is no longer used and whose registrations are not withdrawn yet. */
  private volatile Optional<KernelKillerAdapter> leaving = Optional.empty();

  /**
   * Creates the killers; none watches yet.
   *
   * @param settings the operator's settings
   * @param kernels creates the kernel killer's adapter; empty if this node cannot have one
   * @param userSpaces creates the user-space killer; empty if Charon does not decide about launches
   * @param late why no tick looks after the kernel killer at the moment; empty if ticks run
   * @param left cgroup ids of the containers that an earlier NodeManager left
   * @param nanoClock monotonic nanoseconds
   */
  public NodeKillers(
      CharonSettings settings,
      Function<CharonSettings, Optional<KernelKillerAdapter>> kernels,
      Function<CharonSettings, Optional<UserSpaceKiller>> userSpaces,
      Supplier<Optional<String>> late,
      Set<Long> left,
      LongSupplier nanoClock) {
    this.kernels = kernels;
    this.userSpaces = userSpaces;
    this.late = late;
    this.left = left;
    this.nanoClock = nanoClock;
    this.mode = settings.mode();
    this.kernel = kernel(settings);
  }

  private Optional<KernelKillerAdapter> kernel(CharonSettings settings) {
    return settings.mode() == Mode.ENFORCE ? kernels.apply(settings) : Optional.empty();
  }

  /**
   * Starts watching; the kernel killer is used from the first {@link #tick} on. Where none is used,
   * it kills by itself what an earlier NodeManager registered, until that is withdrawn.
   */
  public void start(CharonSettings settings) {
    if (kernel.isEmpty() && !left.isEmpty()) {
      leaving = kernels.apply(settings);
      withdraw();
    }
    startUserSpace(settings);
  }

  private void startUserSpace(CharonSettings settings) {
    checked = false;
    startedNanos = nanoClock.getAsLong();
    userSpace = userSpaces.apply(settings);
    userSpace.ifPresent(UserSpaceKiller::start);
  }

  /**
   * Removes all registrations of a kernel killer that is no longer used, so that it kills no
   * container of this node.
   */
  private void withdraw() {
    leaving = leaving.filter(guard -> !guard.withdraw(left));
  }

  /**
   * Applies a new mode.
   *
   * @param placed all containers that Charon placed; queried only after the new kernel killer is
   *     set, so that a container that starts meanwhile is registered with it
   */
  public void changeMode(CharonSettings settings, Supplier<List<ContainerInfo>> placed) {
    mode = settings.mode();
    userSpace.ifPresent(UserSpaceKiller::close);
    startUserSpace(settings);
    leaving = kernel.or(() -> leaving);
    withdraw();
    kernel = kernel(settings);
    if (kernel.isPresent()) {
      leaving = Optional.empty(); // the new one corrects the registrations itself
    }
    endStandby();
    kernel.ifPresent(guard -> placed.get().forEach(guard::reacquired));
  }

  /**
   * Applies a new killing rule.
   *
   * @throws KernelKillerException if the loaded killer refuses it
   */
  public void changeRule(KernelKillerSettings wanted) throws KernelKillerException {
    if (kernel.isPresent()) {
      kernel.get().change(wanted);
    }
  }

  /** Runs the kernel killer's tick. */
  public void tick() {
    try {
      withdraw();
      kernel.ifPresent(KernelKillerAdapter::tick);
    } finally {
      checked = true;
      endStandby();
    }
  }

  /** Wakes the user-space killer if it does not stand by any more. */
  private void endStandby() {
    if (!userSpaceStandsBy()) {
      userSpace.ifPresent(UserSpaceKiller::takeOver);
    }
  }

  /**
   * Handles the admission of a production container: in threshold mode room is made for its
   * request.
   */
  public void productionStarts(long requestedBytes) {
    if (mode == Mode.THRESHOLD) {
      userSpace.ifPresent(killer -> killer.productionStarts(requestedBytes));
    }
  }

  /**
   * Returns the kernel killer's adapter, which handles placed containers; empty if it is not used.
   */
  public Optional<KernelKillerAdapter> kernel() {
    return kernel;
  }

  /** Reads new kills of the kernel killer. */
  public void readKills() {
    kernel.ifPresent(KernelKillerAdapter::readKills);
  }

  /** Reads new kills unless another thread is at work; for a killer that must not wait. */
  public void readKillsAtOnce() {
    kernel.ifPresent(KernelKillerAdapter::readKillsAtOnce);
  }

  /**
   * Returns the kernel killer's state; empty if it is not used. While no tick looks after it, its
   * condition is unknown, and the state is not in charge.
   */
  public Optional<KernelKillerAdapter.State> kernelState() {
    return kernel.map(
        guard -> {
          KernelKillerAdapter.State state = guard.state();
          return late.get().map(state::notInCharge).orElse(state);
        });
  }

  /** Returns whether the kernel killer protects this node now, so that no other killer has to. */
  public boolean kernelInCharge() {
    return kernelState().map(KernelKillerAdapter.State::inCharge).orElse(false);
  }

  /**
   * Returns whether the user-space killer stands by: while the kernel killer protects this node,
   * and until it is known whether it does, because on a node that it protects less memory is free
   * than the user-space killer would leave.
   */
  public boolean userSpaceStandsBy() {
    return kernelInCharge() || awaitsFirstCheck();
  }

  private boolean awaitsFirstCheck() {
    return kernel.isPresent()
        && !checked
        && nanoClock.getAsLong() - startedNanos < MAX_FIRST_CHECK.toNanos();
  }

  /** Returns whether the user-space killer would kill where the kernel killer does not. */
  public boolean userSpaceKills() {
    return userSpace.map(UserSpaceKiller::canKill).orElse(false);
  }

  /** Stops the user-space killer. The kernel killer continues, so that late kills become known. */
  public void closeUserSpace() {
    userSpace.ifPresent(UserSpaceKiller::close);
  }

  @Override
  public void close() {
    closeUserSpace();
    kernel.ifPresent(KernelKillerAdapter::close);
  }
}
