/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.kill.LowMemoryRule;
import io.charon.nodemanager.agent.Ticker.Step;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.CharonSettings.RecordingSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.AdoptedContainers;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.ReadingAge;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.nodemanager.mechanisms.freeze.NodeFreeze;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.kill.UserSpaceKiller;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.launch.NodeLearning;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.stop.NodeStop;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.recording.IntervalRecorder;
import io.charon.nodemanager.report.recording.RecordingWriter;
import io.charon.nodemanager.report.status.StatusReporter;
import io.charon.nodemanager.report.status.StatusSource;
import io.charon.nodemanager.sensor.NodeSensors;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Assembles the parts of a node in the order of their dependencies. Creates the cgroups of the node
 * if its mode places containers; starts nothing.
 */
final class NodeParts {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  final Surroundings surroundings;
  final NodeMetrics metrics = new NodeMetrics();
  final NodeSignals signals = new NodeSignals();
  final ContainerLedger ledger = new ContainerLedger();
  final ContainerCgroups cgroups;
  private final NodeIsolation isolation;
  final Audit audit;
  final NodeLaunches launches;
  final NodeLearning learning;
  final Optional<RecordingWriter> recording;
  final ActionExecutor executor;
  final NodeKillers killers;
  final NodeStop stop;
  final NodeFreeze freeze;
  final Applications applications;
  final ContainerLifecycle lifecycle;
  final SettingsFollower settings;
  final StatusReporter reporter;
  final Ticker ticker;
  private final LowMemoryRule lowMemory;
  private final DyingContainers dying;
  private final NodeContainers containers;
  private final NodeSensors sensors;
  private final KillBookkeeper kills;
  private final TickWatchdog watchdog;

  /**
   * Creates all parts.
   *
   * @param wanted the operator's settings
   * @param surroundings the machine, the clocks and the network that the node uses
   * @param yarn the node's view of YARN
   * @param log receives the failures that a tick tolerates
   */
  NodeParts(CharonSettings wanted, Surroundings surroundings, YarnSide yarn, Logger log) {
    this.surroundings = surroundings;
    AtomicReference<CharonSettings> inForce = new AtomicReference<>(wanted);
    PlacedContainers placed = new PlacedContainers();
    this.lowMemory = new LowMemoryRule(wanted.killers().thresholdPercent());
    this.isolation =
        new NodeIsolation(
            wanted,
            surroundings,
            metrics,
            new AdoptedContainers.Known(
                () -> ledger.entries().stream().map(ContainerLedger.Entry::info).toList(),
                yarn::rootProcesses,
                placed::isUntouched,
                this::adopted));
    this.cgroups = isolation.cgroups();

    Optional<AuditLog> auditLog =
        wanted.logs().audit().map(to -> new AuditLog(to.directory(), to.mostBytes()));
    this.audit = Audit.queued(auditLog, surroundings.clock(), metrics.toleratedFailures());
    this.launches =
        new NodeLaunches(
            wanted,
            ReadingAge.max(wanted.sensors().tick()),
            lowMemory,
            audit,
            metrics,
            surroundings.clock(),
            surroundings.nanoClock());
    this.learning =
        new NodeLearning(
            wanted.scheduler().profile(),
            launches.gateInAnyMode(),
            metrics,
            surroundings.web(),
            surroundings.clock());
    this.recording = wanted.logs().recording().map(this::recording);
    this.watchdog =
        new TickWatchdog(wanted.sensors().tick(), surroundings.nanoClock(), launches::unobserved);
    metrics.decimal(NodeMetric.TICK_AGE, "", () -> watchdog.ageNanos() / NANOS_PER_SECOND);

    this.dying = new DyingContainers(surroundings.nanoClock(), this::readKernelKillsAtOnce);
    this.containers =
        new NodeContainers(
            ledger,
            placed,
            launches,
            dying,
            yarn,
            () -> inForce.get().places() && cgroups.layout().isEmpty(),
            cgroups,
            isolation.adopted());
    this.sensors = isolation.sensors(containers::processesOutside);
    this.kills =
        new KillBookkeeper(
            ledger,
            launches.gateInAnyMode(),
            dying,
            metrics,
            audit,
            surroundings.clock(),
            surroundings.nanoClock());
    this.executor =
        new ActionExecutor(
            dying,
            kills,
            ContainerControl.of(cgroups.possible().map(ContainerFreezer::new), yarn),
            audit,
            metrics.toleratedFailures(),
            surroundings.nanoClock());

    if (wanted.places()) {
      cgroups.prepare();
    }
    this.killers =
        new NodeKillers(
            wanted,
            now -> isolation.kernelKillerAdapter(now, inForce::get, containers, kills),
            this::userSpaceKiller,
            watchdog::late,
            isolation.survivors().keySet(),
            surroundings.nanoClock());
    this.stop =
        NodeStop.of(
            launches.gateInAnyMode(),
            () -> launches.gate().isPresent(),
            containers::taskIds,
            containers::phaseForStop,
            executor,
            signals::launchable,
            surroundings.nanoClock());
    this.freeze =
        new NodeFreeze(
            wanted,
            cgroups.possible(),
            sensors.node(),
            launches::learning,
            this::phaseForFreeze,
            executor,
            metrics,
            surroundings.nanoClock());
    this.applications =
        new Applications(
            wanted.placement().masters(),
            launches,
            learning,
            cgroups,
            yarn::applications,
            surroundings.nanoClock(),
            audit);
    ContainerPlacement placement =
        isolation.placement(killers, kills, executor, inForce::get, ledger, audit);
    // A frozen container must be thawed before it is killed or moved, so the freezing parts come
    // first. The placement removes the cgroup, which counts the kills by Linux, after the parts
    // that need it.
    this.lifecycle =
        new ContainerLifecycle(
            ledger,
            placed,
            placement,
            killers::readKills,
            metrics,
            Stream.<ContainerListener>concat(
                    Stream.of(
                        launches,
                        new FirstBestEffort(
                            () -> cgroups.layout().isPresent() && inForce.get().limitsMemory(),
                            this::sample),
                        kills,
                        stop,
                        freeze,
                        placement,
                        applications),
                    isolation.listeners())
                .toList());
    this.settings =
        new SettingsFollower(
            inForce,
            new SettingsFollower.Parts(
                cgroups,
                placed,
                containers,
                new SettingsFollower.Launching(launches, learning, applications, signals),
                killers,
                freeze,
                metrics.toleratedFailures()),
            this::mechanisms);
    this.reporter =
        new StatusReporter(
            new StatusSource(
                inForce::get,
                metrics,
                new StatusSource.Containers(
                    ledger,
                    placed,
                    containers::outside,
                    () -> cgroups.possible().isPresent(),
                    applications::masterWeight),
                new StatusSource.Launches(
                    launches::gate,
                    launches::learning,
                    () -> launches.observer().map(LaunchObserver::totals),
                    yarn::waiting),
                new StatusSource.Killers(
                    killers::kernelState, killers::userSpaceKills, kills.log()),
                new StatusSource.Mechanisms(
                    () -> settings.mechanisms().states(),
                    () -> settings.mechanisms().lastReading(),
                    freeze::state,
                    new StatusSource.Tick(watchdog::ageNanos, watchdog::late)),
                settings::source,
                stop::state));

    GuardedParts guarded = new GuardedParts(log, () -> metrics.toleratedFailures().inc());
    NodeObservation observation =
        new NodeObservation(
            sensors,
            ledger,
            containers,
            settings,
            launches,
            freeze,
            killers,
            lowMemory,
            reporter,
            signals,
            guarded,
            surroundings.nanoClock());
    IntervalRecorder intervals =
        new IntervalRecorder(
            () -> settings.mechanisms().lastReading(),
            line -> recording.ifPresent(writer -> writer.add(line)),
            surroundings.clock(),
            wanted.sensors().tick());
    this.ticker =
        new Ticker(
            wanted.sensors().tick(),
            metrics.tick(),
            guarded,
            watchdog,
            List.of(
                Step.of("reading the settings again", settings::tick),
                Step.of("checking the cgroups of containers", containers::updateLocations),
                Step.of("checking the kernel killer", killers::tick),
                Step.of("setting the weight of ApplicationMasters", applications::tick),
                Step.alsoAtOnce("measuring containers", observation::measureContainers),
                Step.alsoAtOnce("observing the node", observation::observeNode),
                Step.of("recording production beside best-effort", intervals::tick),
                Step.of("killing containers that did not end in time", executor::killOverdue),
                Step.of("ending what Linux left of containers", placement::endPartlyKilled),
                Step.of("thawing containers that were left frozen", freeze::tick),
                Step.of("removing the cgroups of ended containers", cgroups::removeLeft),
                Step.of("completing promotions", placement::tick),
                Step.of("following YARN", signals::ticked)));
  }

  private RecordingWriter recording(RecordingSettings wanted) {
    return new RecordingWriter(
        wanted.directory(),
        wanted.mostBytes(),
        wanted.keys(),
        metrics.toleratedFailures(),
        surroundings.nanoClock(),
        surroundings.clock());
  }

  private void readKernelKillsAtOnce() {
    killers.readKillsAtOnce();
  }

  /**
   * Returns the phase for pausing; a container that a stop keeps frozen counts as paused by YARN,
   * so that only the stop thaws it.
   */
  private Phase phaseForFreeze(String containerId) {
    Phase phase = containers.phase(containerId);
    return phase == Phase.RUNNING && stop.isFrozen(containerId) ? Phase.PAUSED : phase;
  }

  private void adopted(ContainerInfo container) {
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.started(container));
  }

  private Optional<UserSpaceKiller> userSpaceKiller(CharonSettings wanted) {
    return launches
        .gate()
        .map(
            gate ->
                new UserSpaceKiller(
                    sensors.newNodeSensor(),
                    gate,
                    id -> ledger.find(id).isPresent(),
                    lowMemory,
                    executor,
                    dying,
                    surroundings.nanoClock(),
                    wanted.killers().poll(),
                    killers::userSpaceStandsBy,
                    watchdog::untilLate,
                    () -> wanted.mode() == Mode.THRESHOLD && watchdog.late().isEmpty(),
                    signals::launchable));
  }

  /** Creates the mechanisms; those that clean up work on cgroups that are not in use. */
  private NodeMechanisms mechanisms(CharonSettings wanted, boolean cleaning) {
    Optional<CgroupLayout> layout = cleaning ? cgroups.possible() : cgroups.layout();
    Optional<CpusetWriter> cpusets = cleaning ? cgroups.cpusetsForCleanup() : cgroups.cpusets();
    boolean used = cleaning || wanted.places();
    return new NodeMechanisms(
        wanted,
        new NodeMechanisms.Machine(
            surroundings.procRoot(),
            surroundings.sysRoot(),
            used ? layout : Optional.empty(),
            cgroups.possible(),
            used ? cpusets : Optional.empty(),
            isolation.memoryPlaces().filter(known -> wanted.places())),
        new NodeMechanisms.Containers(
            () -> containers.tasks(freeze::isFrozen),
            containers::killCandidates,
            kills::lastKill,
            containers::productionReservations,
            containers::productionCores,
            ledger::bestEffortBytes),
        new MemoryBound(launches.gate().map(gate -> gate::bound)),
        executor,
        metrics,
        this::requestSample);
  }

  private void requestSample() {
    var unused = sample(); // the result is not awaited
  }

  private CompletableFuture<Void> sample() {
    return ticker.requestSample();
  }
}
