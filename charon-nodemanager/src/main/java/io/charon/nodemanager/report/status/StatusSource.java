/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.mechanism.NodeReading;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.stop.StopState;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The sources of a node's status and metrics, which are read on each request.
 *
 * @param settings the settings in force
 * @param metrics the counters
 * @param containers the containers of the node
 * @param launches how best-effort containers are launched
 * @param killers the killers and their kills
 * @param mechanisms what the mechanisms measure and decide
 * @param configuration the state of the settings' source; empty if settings cannot change
 * @param stop the orders to stop best-effort
 */
public record StatusSource(
    Supplier<CharonSettings> settings,
    NodeMetrics metrics,
    Containers containers,
    Launches launches,
    Killers killers,
    Mechanisms mechanisms,
    Supplier<Optional<SettingsSource.State>> configuration,
    Supplier<StopState> stop) {

  /**
   * The containers of a node.
   *
   * @param ledger the running containers
   * @param placed records which of them Charon placed
   * @param outside containers that run outside their cgroups
   * @param makesCgroups whether Charon can create cgroups of containers on this machine
   * @param masterWeight lower CPU weight of a container that manages a best-effort application, by
   *     its id, percent of the weight of a production container; empty for all others
   */
  public record Containers(
      ContainerLedger ledger,
      PlacedContainers placed,
      Supplier<ContainerPlaces.Outside> outside,
      BooleanSupplier makesCgroups,
      Function<String, OptionalInt> masterWeight) {}

  /**
   * How best-effort containers are launched.
   *
   * @param gate the launch gate, if it decides about launches now
   * @param measures the launch gate, if it decides or observes now
   * @param observation what would have been different; empty unless in mode observe
   * @param waitingForYarn the best-effort containers that wait where stock YARN decides
   */
  public record Launches(
      Supplier<Optional<LaunchGate>> gate,
      Supplier<Optional<LaunchGate>> measures,
      Supplier<Optional<LaunchObserver.Totals>> observation,
      Supplier<List<ContainerInfo>> waitingForYarn) {}

  /**
   * The killers and their kills.
   *
   * @param kernel the state of the kernel killer; empty if it is not used
   * @param userSpaceKills whether the user-space killer would kill where the kernel killer does not
   * @param log recent kills
   */
  public record Killers(
      Supplier<Optional<KernelKillerAdapter.State>> kernel,
      BooleanSupplier userSpaceKills,
      KillLog log) {
    /** Returns whether the kernel killer is in charge. */
    boolean kernelInCharge() {
      return kernel.get().map(KernelKillerAdapter.State::inCharge).orElse(false);
    }
  }

  /**
   * What the mechanisms measure and decide.
   *
   * @param states the state of every mechanism
   * @param lastReading the reading of the last tick
   * @param freeze the frozen containers
   * @param tick the age of what ticks measure
   */
  public record Mechanisms(
      Supplier<List<MechanismRunner.State>> states,
      Supplier<Optional<NodeReading>> lastReading,
      Supplier<FreezeState> freeze,
      Tick tick) {}

  /**
   * The age of what ticks measure.
   *
   * @param ageNanos time since the last complete tick, in nanoseconds
   * @param late why that is too long; empty while ticks complete in time
   */
  public record Tick(LongSupplier ageNanos, Supplier<Optional<String>> late) {}
}
