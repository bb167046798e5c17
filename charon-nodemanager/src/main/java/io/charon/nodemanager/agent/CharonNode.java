/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.NodeMemory;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.cgroup.ContainerProcesses;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.ContainerKiller;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.nodemanager.mechanisms.freeze.NodePause;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import io.charon.nodemanager.mechanisms.kill.KernelGuard;
import io.charon.nodemanager.mechanisms.kill.MemoryKills;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.kill.UserSpaceKiller;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.launch.NodeLearning;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.stop.ClusterOrders;
import io.charon.nodemanager.mechanisms.stop.NodeStop;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.MetricFamily;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.metrics.PrometheusText;
import io.charon.nodemanager.report.recording.RecordingWriter;
import io.charon.nodemanager.report.status.StatusDocument;
import io.charon.nodemanager.report.status.StatusReporter;
import io.charon.nodemanager.sensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one NodeManager: once per tick it reads the sensors and brings the local scheduler
 * up to date; in between it answers YARN's threads from what it knows. Knows nothing of YARN's
 * classes.
 */
public final class CharonNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNode.class);

  private static final double MILLIS_PER_SECOND = 1000;
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Surroundings surroundings;
  private final NodeMetrics metrics = new NodeMetrics();
  private final PrometheusText metricsText = new PrometheusText(metrics::read);
  private final ContainerLedger ledger = new ContainerLedger();
  private final PlacedContainers placed = new PlacedContainers();
  private final ContainerCgroups cgroups;
  private final Optional<ContainerPlaces> places;
  private final NodeSensors sensors;
  private final LowMemoryRule lowMemory;
  private final DyingContainers dying;
  private final MemoryKills kills;
  private final NodeLaunches launches;
  private final NodeLearning learning;
  private final Optional<RecordingWriter> recording;
  private final Audit audit;
  private final ActionExecutor executor;
  private final StatusReporter reporter;
  private final GuardedParts parts = new GuardedParts(LOG, () -> metrics.toleratedFailures().inc());
  private final TickWatchdog watchdog;
  private final Ticker ticker;
  private final NodeStop stop;
  private final NodePause pause;
  private final NodeKillers killers;
  private final Applications applications;
  private final ContainerLifecycle lifecycle;
  private volatile CharonSettings settings;
  private volatile NodeMechanisms regulation;
  private volatile Optional<SettingsSource> source = Optional.empty();
  private volatile Optional<ClusterOrders> cluster = Optional.empty();
  private volatile Runnable launchable = () -> {};
  private volatile Runnable decidesOtherwise = () -> {};
  private volatile Runnable afterTick = () -> {};
  private volatile Supplier<Map<String, Long>> rootProcesses = Map::of;
  private volatile Supplier<List<ContainerInfo>> waiting = List::of;
  private volatile Function<String, Phase> phases = containerId -> Phase.STARTING;
  private volatile ContainerKiller containerKiller =
      containerId -> {
        throw new IOException("the node has not started");
      };

  /**
   * Prepares a node; nothing runs before {@link #start}.
   *
   * @param settings what the operator decided
   * @param surroundings the machine and the time that it sees
   */
  public CharonNode(CharonSettings settings, Surroundings surroundings) {
    this.settings = settings;
    this.surroundings = surroundings;
    Path procRoot = surroundings.procRoot();
    this.dying = new DyingContainers(surroundings.nanoClock(), this::readKernelKillsAtOnce);
    this.cgroups = ContainerCgroups.open(settings, procRoot, metrics.toleratedFailures());
    metrics.gauge(Metric.CGROUP_WARNINGS, cgroups::warnings);
    this.places =
        cgroups
            .possible()
            .map(
                layout ->
                    new ContainerPlaces(
                        layout,
                        System.getProperty("user.name"),
                        this::containerInfos,
                        () -> rootProcesses.get()));
    metrics.gauge(Metric.OUTSIDE_CGROUP, () -> outside().places().size());
    this.sensors = NodeSensors.open(settings, procRoot, cgroups.possible(), this::processesOutside);
    this.lowMemory = new LowMemoryRule(settings.killerThresholdPercent());
    Optional<AuditLog> auditLog =
        settings.audit().map(wanted -> new AuditLog(wanted.directory(), wanted.mostBytes()));
    this.audit = Audit.queued(auditLog, surroundings.clock(), metrics.toleratedFailures());
    this.launches =
        new NodeLaunches(
            settings,
            TickWatchdog.lateAfter(settings.tick()),
            lowMemory,
            audit,
            metrics,
            surroundings.clock(),
            surroundings.nanoClock());
    this.watchdog =
        new TickWatchdog(settings.tick(), surroundings.nanoClock(), launches::unobserved);
    metrics.decimal(Metric.TICK_AGE, "", () -> watchdog.ageNanos() / NANOS_PER_SECOND);
    metrics.decimal(Metric.CLUSTER_WORD_AGE, "", this::clusterWordAgeSeconds);
    this.learning =
        new NodeLearning(settings.scheduler(), launches.inAnyMode(), metrics, surroundings.clock());
    this.recording =
        settings
            .recording()
            .map(
                wanted ->
                    new RecordingWriter(
                        wanted.directory(),
                        wanted.mostBytes(),
                        wanted.keys(),
                        metrics.toleratedFailures(),
                        surroundings.nanoClock(),
                        surroundings.clock()));
    this.kills =
        new MemoryKills(
            ledger,
            launches.inAnyMode(),
            dying,
            metrics,
            audit,
            surroundings.clock(),
            surroundings.nanoClock());
    this.executor =
        new ActionExecutor(
            dying,
            kills,
            ContainerControl.of(
                cgroups.possible().map(ContainerFreezer::new),
                containerId -> containerKiller.kill(containerId)),
            audit,
            metrics.toleratedFailures(),
            surroundings.nanoClock());
    if (settings.places()) {
      cgroups.prepare();
    }
    this.killers =
        new NodeKillers(
            settings,
            this::kernelKiller,
            this::userSpaceKiller,
            watchdog::late,
            cgroups.left().keySet());
    this.stop =
        NodeStop.of(
            launches.inAnyMode(),
            () -> launches.gate().isPresent(),
            this::bestEffortTasks,
            this::phaseForStop,
            executor,
            () -> launchable.run());
    this.pause =
        new NodePause(
            settings,
            cgroups.possible(),
            sensors.node(),
            launches::gate,
            this::phase,
            executor,
            metrics,
            surroundings.nanoClock());
    this.applications = new Applications(settings.masters(), launches, learning, cgroups);
    ContainerPlacement placement =
        new ContainerPlacement(
            cgroups,
            new OomScores(procRoot, settings.oomScores()),
            killers,
            kills,
            () -> this.settings.places(),
            metrics.toleratedFailures());
    // Who is to die or to move must be let go first, and whoever counts kills asks its cgroup last.
    this.lifecycle =
        new ContainerLifecycle(
            ledger,
            placed,
            placement,
            killers::readKills,
            metrics,
            List.of(launches, kills, stop, pause, placement, applications));
    this.regulation = regulation(settings);
    this.ticker =
        new Ticker(
            settings.tick(),
            metrics.tick(),
            parts,
            watchdog,
            List.of(
                Ticker.Step.of("reading the settings again", this::followSettings),
                Ticker.Step.of("looking where containers are", this::followPlaces),
                Ticker.Step.of("looking after the kernel killer", killers::tick),
                Ticker.Step.of("the weight of ApplicationMasters", applications::tick),
                Ticker.Step.alsoAtOnce("measuring containers", this::measureContainers),
                Ticker.Step.alsoAtOnce("watching the node", this::observeNode),
                Ticker.Step.of("thawing what was left frozen", pause::tick),
                Ticker.Step.of("following YARN", () -> afterTick.run())));
    this.reporter =
        new StatusReporter(
            this::settings,
            metrics,
            ledger,
            placed,
            launches::gate,
            launches::learning,
            () -> launches.observer().map(LaunchObserver::totals),
            () -> waiting.get().size(),
            killers::kernelState,
            killers::userSpaceKills,
            this::outside,
            kills.log(),
            () -> regulation.states(),
            () -> regulation.lastReading(),
            () -> pause.state(),
            () -> source.map(SettingsSource::state),
            () -> stop.state().with(cluster.map(ClusterOrders::state)));
  }

  /** NaN while no ResourceManager ever answered. */
  private double clusterWordAgeSeconds() {
    return cluster
        .map(ClusterOrders::state)
        .filter(heard -> heard.ageMillis() >= 0)
        .map(heard -> heard.ageMillis() / MILLIS_PER_SECOND)
        .orElse(Double.NaN);
  }

  /** In modes that do not act, one that takes back what an earlier life registered. */
  private Optional<KernelGuard> kernelKiller(CharonSettings wanted) {
    return (wanted.places() ? cgroups.layout() : cgroups.possible())
        .flatMap(
            layout ->
                wanted
                    .kernelKiller()
                    .map(
                        rule ->
                            KernelGuard.of(
                                rule,
                                layout,
                                cgroups.left(),
                                this::containerInfos,
                                this::outside,
                                kills)));
  }

  private Optional<UserSpaceKiller> userSpaceKiller(CharonSettings wanted) {
    return launches
        .gate()
        .map(
            gate ->
                new UserSpaceKiller(
                    sensors.nodeOfItsOwn(),
                    gate,
                    lowMemory,
                    executor,
                    dying,
                    surroundings.nanoClock(),
                    wanted.killerPoll(),
                    killers::kernelInCharge,
                    () -> wanted.mode() == Mode.KUBER && watchdog.late().isEmpty(),
                    () -> launchable.run()));
  }

  private NodeMechanisms regulation(CharonSettings wanted) {
    return wanted.places()
        ? regulation(wanted, cgroups.layout(), cgroups.cpusets())
        : regulation(wanted, Optional.empty(), Optional.empty());
  }

  private NodeMechanisms regulation(
      CharonSettings wanted, Optional<CgroupLayout> layout, Optional<CpusetWriter> cpusets) {
    return new NodeMechanisms(
        wanted,
        new NodeMechanisms.Machine(
            surroundings.procRoot(), surroundings.sysRoot(), layout, cgroups.possible(), cpusets),
        new NodeMechanisms.Containers(
            this::bestEffortOldestFirst,
            this::killCandidates,
            this::productionReservations,
            () ->
                ledger.bestEffortWorkingSets().values().stream().mapToLong(Long::longValue).sum()),
        new MemoryBound(launches.gate().map(gate -> gate::bound)),
        executor,
        metrics,
        this::lookAtOnce);
  }

  private void lookAtOnce() {
    ticker.lookAtOnce();
  }

  private Map<String, Long> productionReservations() {
    return ledger.entries().stream()
        .map(ContainerLedger.Entry::info)
        .filter(container -> container.executionType() == ExecutionType.GUARANTEED)
        .filter(container -> !placed.isUntouched(container.containerId()))
        .collect(Collectors.toMap(ContainerInfo::containerId, ContainerInfo::requestedBytes));
  }

  private KillCandidates killCandidates() {
    return new KillCandidates(
        launches.gate().map(gate -> gate.view().running()).orElse(List.of()).stream()
            .flatMap(running -> killCandidate(running).stream())
            .toList());
  }

  private Optional<KillCandidates.KillCandidate> killCandidate(LaunchGate.Running running) {
    String id = running.container().request().containerId();
    return ledger
        .find(id)
        .map(
            entry ->
                new KillCandidates.KillCandidate(
                    id,
                    entry.workingSetBytes(),
                    TimeUnit.NANOSECONDS.toMillis(Math.max(0, running.runningNanos())),
                    !entry.info().applicationMaster(),
                    dying.contains(id)));
  }

  private BestEffortTasks bestEffortOldestFirst() {
    return new BestEffortTasks(
        launches.gate().map(LaunchGate::runningOldestFirst).orElse(List.of()).stream()
            .flatMap(id -> ledger.find(id).stream())
            .map(
                entry ->
                    new BestEffortTasks.Task(
                        entry.info().containerId(),
                        entry.workingSetBytes(),
                        dying.contains(entry.info().containerId())))
            .toList());
  }

  /** Whom a stop keeps frozen nobody else thaws, as if YARN had paused it. */
  private Phase phase(String containerId) {
    if (placed.isUntouched(containerId)) {
      // One that has no place of Charon's is none to freeze or thaw.
      return Phase.STARTING;
    }
    Phase phase = phaseOfYarn(containerId);
    return phase == Phase.RUNNING && stop.isFrozen(containerId) ? Phase.PAUSED : phase;
  }

  /** One that has no place of Charon's can be killed, and not be frozen. */
  private Phase phaseForStop(String containerId) {
    Phase phase = phaseOfYarn(containerId);
    return phase == Phase.RUNNING && placed.isUntouched(containerId) ? Phase.PAUSED : phase;
  }

  /** One that somebody killed is on its way out, whatever YARN knows of it yet. */
  private Phase phaseOfYarn(String containerId) {
    boolean killed =
        ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason).isPresent();
    return killed ? Phase.ENDING : phases.apply(containerId);
  }

  /** No ApplicationMaster: with it a whole job would have to begin anew. */
  private List<String> bestEffortTasks() {
    return launches.gate().map(LaunchGate::runningOldestFirst).orElse(List.of()).stream()
        .filter(id -> ledger.find(id).map(entry -> !entry.info().applicationMaster()).orElse(false))
        .toList();
  }

  /** What the operator decided. */
  public CharonSettings settings() {
    return settings;
  }

  /**
   * Starts the tick, and in the modes that have one the user-space killer.
   *
   * @param killsContainers carries kills out
   */
  public void start(ContainerKiller killsContainers) {
    containerKiller = killsContainers;
    metrics.start();
    recording.ifPresent(this::record);
    learnFrom(settings.mode());
    if (!settings.places()) {
      takeAwayWhatAnEarlierLifeSet();
    }
    regulation.start();
    pause.start();
    stop.start();
    cluster.ifPresent(ClusterOrders::start);
    reporter.register();
    killers.start(settings);
    ticker.start();
    LOG.info(
        "Charon runs in mode {}, node memory boundary {}",
        settings.mode(),
        settings.memoryBoundary());
  }

  /** Where nothing was ever enforced nobody shares or keeps what is learnt. */
  private void learnFrom(Mode mode) {
    if (mode != Mode.OFF) {
      learning.start();
    }
  }

  /**
   * A NodeManager that acted and was killed left limits and registrations behind; where this one
   * does not act, nobody else would take them away.
   */
  private void takeAwayWhatAnEarlierLifeSet() {
    if (!cgroups.anyLeft()) {
      return;
    }
    regulation.close();
    Optional<CpusetWriter> cpusets = cgroups.cpusetsOfBefore();
    try (NodeMechanisms before = regulation(settings, cgroups.possible(), cpusets)) {
      before.start();
    }
    regulation = regulation(settings);
  }

  private void record(RecordingWriter writer) {
    LaunchGate gate = launches.inAnyMode();
    gate.record(writer::add);
    writer.start(gate::checkpoint);
  }

  /**
   * Where the settings come from; what may change at run time follows it from now on.
   *
   * @param settingsSource looked at by each tick
   */
  public void follow(SettingsSource settingsSource) {
    source = Optional.of(settingsSource);
    stop.follow(settingsSource.stopFile());
    cluster = settingsSource.stopSettings().map(ClusterOrders::of);
    cluster.ifPresent(orders -> stop.followCluster(orders::order));
  }

  /**
   * Who knows what applications are called.
   *
   * @param known makes who is asked, if anybody is; closed with this node
   */
  public void applications(Supplier<ApplicationDirectory> known) {
    applications.ask(known);
  }

  /** A best-effort container of an application is going to ask to start. */
  public void expect(String applicationId) {
    applications.expect(applicationId);
  }

  /** The ApplicationMaster of an application is going to start. */
  public void expectMaster(String applicationId) {
    applications.expectMaster(applicationId);
  }

  /**
   * Who is told when the first of the queue may start.
   *
   * @param wake called from Charon's threads, must not block
   */
  public void onLaunchable(Runnable wake) {
    launchable = wake;
  }

  /**
   * Who is told when {@link #gate} changes, or knows of no container any more.
   *
   * @param listener called from Charon's thread, must not block
   */
  public void onDecidesOtherwise(Runnable listener) {
    decidesOtherwise = listener;
  }

  /**
   * Who is told after every tick.
   *
   * @param listener called from Charon's thread, must not block
   */
  public void onTick(Runnable listener) {
    afterTick = listener;
  }

  /**
   * Who knows the first process of each container that runs; asked where containers have no cgroup.
   *
   * @param processes process ids by container id
   */
  public void rootProcesses(Supplier<Map<String, Long>> processes) {
    rootProcesses = processes;
  }

  /**
   * Who knows the best-effort containers in YARN's queue, in order of arrival; asked where stock
   * YARN decides about them and Charon observes. One that starts at this moment may be among them.
   *
   * @param inQueue what YARN says
   */
  public void waiting(Supplier<List<ContainerInfo>> inQueue) {
    waiting = inQueue;
  }

  /**
   * Who knows where a container is in YARN's eyes; asked where it may be frozen.
   *
   * @param known by container id
   */
  public void phases(Function<String, Phase> known) {
    phases = known;
  }

  /** Decides about launches; absent where stock YARN does. */
  public Optional<LaunchGate> gate() {
    return launches.gate();
  }

  /** The state of the node as {@code bin/charon status} prints it. */
  public StatusDocument status() {
    return reporter.document();
  }

  /** The same as JSON, in one line. */
  public String statusJson() {
    return reporter.getJson();
  }

  /** All metrics of the node at this instant. */
  public List<MetricFamily> readMetrics() {
    return metrics.read();
  }

  /** All metrics of the node as Prometheus reads them. */
  public PrometheusText metricsText() {
    return metricsText;
  }

  /** Hears of the containers; everything that happens to one is told here. */
  public ContainerLifecycle lifecycle() {
    return lifecycle;
  }

  /** Lists the processes of containers by their cgroups; nothing if this node makes none. */
  public Optional<ContainerProcesses> containerProcesses() {
    return cgroups.layout().map(ContainerProcesses::new);
  }

  /** Whether a container can be frozen: Charon gave it a cgroup. */
  public boolean canPause(String containerId) {
    return cgroups.has(containerId);
  }

  /**
   * YARN pauses a container.
   *
   * @throws IOException if it has no cgroup that could be frozen
   */
  public void paused(String containerId) throws IOException {
    pause.pausedByYarn(containerId);
  }

  /**
   * YARN resumes a container that it paused.
   *
   * @throws IOException if that cannot be
   */
  public void resumed(String containerId) throws IOException {
    pause.resumedByYarn(containerId);
  }

  /** What is known of the containers that run. */
  public Collection<ContainerLedger.Entry> containers() {
    return ledger.entries();
  }

  /** A production container is admitted: in kuber mode its request is made room for. */
  public void productionStarts(long requestedBytes) {
    killers.productionStarts(requestedBytes);
  }

  /** Something of Charon's failed that the container or the NodeManager must not notice. */
  public void tolerated(String what, Throwable fault) {
    metrics.toleratedFailures().inc();
    LOG.warn("{} failed; the container goes on without it", what, fault);
  }

  @Override
  public void close() {
    killers.closeUserSpace();
    cluster.ifPresent(ClusterOrders::close);
    stop.close();
    pause.close();
    ticker.close();
    applications.close();
    learning.close();
    recording.ifPresent(RecordingWriter::close);
    regulation.close();
    executor.close();
    killers.close();
    audit.close();
    reporter.unregister();
    metrics.close();
    cgroups.close();
  }

  private void readKernelKillsAtOnce() {
    killers.readKillsAtOnce();
  }

  /** First processes of the containers that are in no cgroup of their own to be measured by. */
  private Map<String, Long> processesOutside() {
    if (settings.places() && cgroups.layout().isEmpty()) {
      return rootProcesses.get();
    }
    Set<String> elsewhere = new HashSet<>(placed.untouched());
    elsewhere.addAll(outside().places().keySet());
    if (elsewhere.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> processes = new HashMap<>(rootProcesses.get());
    processes.keySet().retainAll(elsewhere);
    return processes;
  }

  private Collection<ContainerInfo> containerInfos() {
    return ledger.entries().stream().map(ContainerLedger.Entry::info).toList();
  }

  private ContainerPlaces.Outside outside() {
    return places.map(ContainerPlaces::outside).orElse(ContainerPlaces.Outside.nobody());
  }

  private void followSettings() {
    source.flatMap(SettingsSource::changed).ifPresent(this::change);
  }

  private void followPlaces() {
    places.ifPresent(ContainerPlaces::look);
  }

  /**
   * The operator wants something else. Only what may change at run time does.
   *
   * @param wanted read later than the settings of now; from the tick's thread, or while none runs:
   *     what is taken apart here must be at rest
   */
  public void change(CharonSettings wanted) {
    CharonSettings before = settings;
    CharonSettings now = before.withLivePartsOf(wanted);
    boolean changesMode = now.mode() != before.mode();
    if (changesMode && now.places()) {
      cgroups.prepare(); // before anybody starts who needs them
    }
    settings = now;
    boolean changesPause = changesMode || !now.pause().equals(before.pause());
    if (changesPause) {
      pause.close(); // while it still knows whom it froze
    }
    if (changesMode) {
      change(before.mode(), now.mode());
    }
    if (changesMode || !now.regulators().equals(before.regulators())) {
      regulation.close();
      regulation = regulation(now);
      regulation.start();
    }
    if (changesPause) {
      pause.change(now);
    }
    if (!changesMode && !now.kernelKiller().equals(before.kernelKiller())) {
      now.kernelKiller().ifPresent(this::changeRule);
    }
    LOG.info("the settings were read again; {}", source.map(SettingsSource::state));
  }

  /**
   * First launches go by the new rule, with no reading of the node's memory yet, so that none
   * counts on what was read under the old one; then protection follows.
   */
  private void change(Mode before, Mode now) {
    launches.change(settings, containerInfos());
    decidesOtherwise.run();
    learnFrom(now);
    applications.change(settings.masters());
    killers.changeMode(
        settings,
        () ->
            containerInfos().stream()
                .filter(container -> cgroups.has(container.containerId()))
                .toList());
    LOG.info(
        "mode {} becomes {}: {} containers that Charon placed and {} that it did not go on as they"
            + " are",
        before,
        now,
        placed.placed(),
        placed.untouched().size());
  }

  private void changeRule(KernelKillerSettings wanted) {
    try {
      killers.changeRule(wanted);
    } catch (KernelKillerException e) {
      tolerated("the kernel killer's new rule", e);
    }
  }

  private void measureContainers() {
    try {
      ledger.measured(sensors.workingSetBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("containers keep the working sets measured last", e);
    }
  }

  private void observeNode() {
    long readNanos = surroundings.nanoClock().getAsLong();
    Optional<MemoryReading> reading = Optional.empty();
    Optional<IOException> unreadable = Optional.empty();
    try {
      reading = Optional.of(sensors.node().readUse());
    } catch (IOException e) {
      unreadable = Optional.of(e);
    }
    Optional<MemoryReading> read = reading;
    Optional<NodeMemory> memory = read.map(MemoryReading::memory);
    reporter.observed(memory);
    parts.run("the regulators", () -> regulation.tick(surroundings.nanoClock().getAsLong(), read));
    if (memory.isPresent()) {
      decideLaunches(memory.get(), readNanos);
    } else {
      launches.unobserved();
    }
    if (unreadable.isPresent()) {
      throw new UncheckedIOException(
          "best-effort launches stop until the node's memory can be read", unreadable.get());
    }
  }

  private void decideLaunches(NodeMemory memory, long readNanos) {
    // As many as this process may use: the share of a machine that was given to the node.
    launches.cores(Runtime.getRuntime().availableProcessors());
    launches.gate().ifPresent(gate -> observe(gate, memory, readNanos));
    launches
        .observer()
        .ifPresent(
            observer -> observer.observed(memory, ledger.bestEffortWorkingSets(), waiting()));
  }

  private List<LaunchRequest> waiting() {
    return waiting.get().stream()
        .filter(container -> ledger.find(container.containerId()).isEmpty())
        .map(ContainerInfo::launchRequest)
        .toList();
  }

  private void observe(LaunchGate launchGate, NodeMemory memory, long readNanos) {
    Map<String, Long> workingSets = ledger.bestEffortWorkingSets();
    if (launchGate.observed(forLaunches(memory), workingSets, readNanos)) {
      launchable.run();
    }
  }

  /**
   * What launches may count on. The user-space killer keeps a share of the node free; to offer that
   * share to launches would be to start containers for it to kill. In the same way pause before
   * kill needs a share for the containers that it froze to go on. The kernel's killer acts on
   * thrash and keeps nothing free; Kuber's own rule subtracts the share.
   */
  private NodeMemory forLaunches(NodeMemory memory) {
    if (settings.mode() == Mode.KUBER) {
      return memory;
    }
    long keptFreeBytes =
        killers.kernelInCharge() ? 0 : lowMemory.thresholdBytes(memory.capacityBytes());
    if (pause.acts()) {
      keptFreeBytes = Math.max(keptFreeBytes, pause.resumeBytes(memory.capacityBytes()));
    }
    return new NodeMemory(
        memory.capacityBytes(), Math.max(0, memory.availableBytes() - keptFreeBytes));
  }
}
