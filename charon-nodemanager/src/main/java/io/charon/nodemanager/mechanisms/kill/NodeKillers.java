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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Who takes memory back on a node by kills, as its mode wants it: the kernel's killer in mode
 * enforce, and the one in user space wherever that is not in charge. Thread-safe.
 */
public final class NodeKillers implements AutoCloseable {
  private final Function<CharonSettings, Optional<KernelKillerAdapter>> kernels;
  private final Function<CharonSettings, Optional<UserSpaceKiller>> userSpaces;
  private final Supplier<Optional<String>> late;
  private final Set<Long> left;
  private volatile Mode mode;
  private volatile Optional<KernelKillerAdapter> kernel = Optional.empty();
  private volatile Optional<UserSpaceKiller> userSpace = Optional.empty();

  /**
   * Nobody watches yet.
   *
   * @param settings what the operator wants
   * @param kernels makes the kernel's, where that can be had whatever the mode is
   * @param userSpaces makes the other one, where Charon decides about launches
   * @param late why nobody looks after the kernel's at the moment; empty if somebody does
   * @param left cgroup ids of containers that an earlier NodeManager left
   */
  public NodeKillers(
      CharonSettings settings,
      Function<CharonSettings, Optional<KernelKillerAdapter>> kernels,
      Function<CharonSettings, Optional<UserSpaceKiller>> userSpaces,
      Supplier<Optional<String>> late,
      Set<Long> left) {
    this.kernels = kernels;
    this.userSpaces = userSpaces;
    this.late = late;
    this.left = left;
    this.mode = settings.mode();
    this.kernel = kernel(settings);
  }

  private Optional<KernelKillerAdapter> kernel(CharonSettings settings) {
    return settings.mode() == Mode.ENFORCE ? kernels.apply(settings) : Optional.empty();
  }

  /** Watches from now on; the kernel's killer with the first {@link #tick}. */
  public void start(CharonSettings settings) {
    if (!settings.places() && !left.isEmpty()) {
      kernels.apply(settings).ifPresent(this::withdraw);
    }
    startUserSpace(settings);
  }

  private void startUserSpace(CharonSettings settings) {
    userSpace = userSpaces.apply(settings);
    userSpace.ifPresent(UserSpaceKiller::start);
  }

  /** Nobody on this node is killed by the kernel killer any more. */
  private void withdraw(KernelKillerAdapter guard) {
    guard.withdraw(left);
  }

  /**
   * The operator wants another mode.
   *
   * @param placed all containers with a place of Charon's; asked when those that start meanwhile
   *     are told to the killer of now already
   */
  public void changeMode(CharonSettings settings, Supplier<List<ContainerInfo>> placed) {
    mode = settings.mode();
    userSpace.ifPresent(UserSpaceKiller::close);
    startUserSpace(settings);
    kernel.ifPresent(this::withdraw);
    kernel = kernel(settings);
    kernel.ifPresent(guard -> placed.get().forEach(guard::reacquired));
  }

  /**
   * The operator wants another rule.
   *
   * @throws KernelKillerException if the loaded killer does not take it
   */
  public void changeRule(KernelKillerSettings wanted) throws KernelKillerException {
    if (kernel.isPresent()) {
      kernel.get().change(wanted);
    }
  }

  /** Looks after the kernel's killer. */
  public void tick() {
    kernel.ifPresent(KernelKillerAdapter::tick);
  }

  /** A production container is admitted: in kuber mode its request is made room for. */
  public void productionStarts(long requestedBytes) {
    if (mode == Mode.KUBER) {
      userSpace.ifPresent(killer -> killer.productionStarts(requestedBytes));
    }
  }

  /** The kernel's, where it is used; told of containers that have a place. */
  public Optional<KernelKillerAdapter> kernel() {
    return kernel;
  }

  /** Reads kills of the kernel that are not known yet. */
  public void readKills() {
    kernel.ifPresent(KernelKillerAdapter::readKills);
  }

  /** The same for a killer that must not wait. */
  public void readKillsAtOnce() {
    kernel.ifPresent(KernelKillerAdapter::readKillsAtOnce);
  }

  /**
   * What people are told of the kernel's killer, if it is used at all. Nobody knows what becomes of
   * it while no tick looks after it.
   */
  public Optional<KernelKillerAdapter.State> kernelState() {
    return kernel.map(
        guard -> {
          KernelKillerAdapter.State state = guard.state();
          return late.get().map(state::notInCharge).orElse(state);
        });
  }

  /** Whether the kernel's killer protects this node now, so that nobody else needs to. */
  public boolean kernelInCharge() {
    return kernelState().map(KernelKillerAdapter.State::inCharge).orElse(false);
  }

  /** Whether the one in user space would kill where the kernel's does not. */
  public boolean userSpaceKills() {
    return userSpace.map(UserSpaceKiller::canKill).orElse(false);
  }

  /** The one in user space ends; the kernel's goes on, so that ends that come late are known. */
  public void closeUserSpace() {
    userSpace.ifPresent(UserSpaceKiller::close);
  }

  @Override
  public void close() {
    closeUserSpace();
    kernel.ifPresent(KernelKillerAdapter::close);
  }
}
