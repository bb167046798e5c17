/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.mechanism.NodeReading;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.freeze.PauseState;
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
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What the status and the metrics of a node are put together from, whenever somebody asks.
 *
 * @param settings mode and boundary, as they are now
 * @param metrics the counters
 * @param ledger the containers that run
 * @param placed which of them got their place from Charon
 * @param gate decides about launches, if anybody does now
 * @param measures knows what a launch may need, if anybody does now
 * @param observation what would have been different, while that is observed
 * @param waitingForYarn how many best-effort containers wait where stock YARN decides
 * @param kernel the state of the kernel killer, if it is used at all
 * @param userSpaceKills whether the user-space killer would kill where the kernel's does not
 * @param makesCgroups whether Charon makes cgroups of containers on this machine
 * @param masterWeight the lower CPU weight of a container that manages a best-effort application,
 *     by its id, percent of a production container's; empty for everybody else
 * @param outside who runs outside of its cgroup
 * @param kills of the recent past
 * @param regulators what each decided last
 * @param snapshot what was seen at the last tick
 * @param pause who is frozen
 * @param configuration where the settings come from, if they can change
 * @param stop whether an operator keeps best-effort stopped
 */
public record StatusSource(
    Supplier<CharonSettings> settings,
    NodeMetrics metrics,
    ContainerLedger ledger,
    PlacedContainers placed,
    Supplier<Optional<LaunchGate>> gate,
    Supplier<Optional<LaunchGate>> measures,
    Supplier<Optional<LaunchObserver.Totals>> observation,
    IntSupplier waitingForYarn,
    Supplier<Optional<KernelKillerAdapter.State>> kernel,
    BooleanSupplier userSpaceKills,
    BooleanSupplier makesCgroups,
    Function<String, OptionalInt> masterWeight,
    Supplier<ContainerPlaces.Outside> outside,
    KillLog kills,
    Supplier<List<MechanismRunner.State>> regulators,
    Supplier<Optional<NodeReading>> snapshot,
    Supplier<PauseState> pause,
    Supplier<Optional<SettingsSource.State>> configuration,
    Supplier<StopState> stop) {
  /** Whether the kernel's killer protects the node. */
  boolean kernelInCharge() {
    return kernel.get().map(KernelKillerAdapter.State::inCharge).orElse(false);
  }
}
