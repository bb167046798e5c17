/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.cgroup.ContainerProcesses;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.MasterSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.ContainerKiller;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.nodemanager.mechanisms.cpuweight.MasterWeights;
import io.charon.nodemanager.mechanisms.freeze.NodePause;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import io.charon.nodemanager.mechanisms.kill.KernelGuard;
import io.charon.nodemanager.mechanisms.kill.MemoryKills;
import io.charon.nodemanager.mechanisms.kill.UserSpaceKiller;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import io.charon.nodemanager.mechanisms.launch.ApplicationNames;
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
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** How long the end of the node waits for a tick that runs (ours). */
  private static final Duration LAST_TICK = Duration.ofSeconds(3);

  private final Surroundings surroundings;
  private final NodeMetrics metrics = new NodeMetrics();
  private final PrometheusText metricsText = new PrometheusText(metrics::read);
  private final ContainerLedger ledger = new ContainerLedger();
  private final PlacedContainers placed = new PlacedContainers();
  private final ContainerCgroups cgroups;
  private final Optional<ContainerPlaces> places;
  private final OomScores scores;
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
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "charon-tick");
            thread.setDaemon(true);
            return thread;
          });
  private final AtomicBoolean looksAtOnce = new AtomicBoolean();
  private final NodeStop stop;
  private volatile CharonSettings settings;
  private volatile NodeMechanisms regulation;
  private volatile NodePause pause;
  private volatile Optional<KernelGuard> kernel = Optional.empty();
  private volatile Optional<Supplier<ApplicationDirectory>> directory = Optional.empty();
  private volatile Optional<ApplicationNames> names = Optional.empty();
  private volatile Optional<MasterWeights> masters = Optional.empty();
  private volatile Optional<SettingsSource> source = Optional.empty();
  private volatile Optional<ClusterOrders> cluster = Optional.empty();
  private volatile Optional<UserSpaceKiller> killer = Optional.empty();
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
    this.scores = new OomScores(procRoot, settings.oomScores());
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
    this.kernel = kernel(settings);
    this.stop =
        NodeStop.of(
            launches.inAnyMode(),
            () -> launches.gate().isPresent(),
            this::bestEffortTasks,
            this::phaseForStop,
            executor,
            () -> launchable.run());
    this.pause = pause(settings);
    this.regulation = regulation(settings);
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
            () -> kernel.map(this::killerState),
            () -> killer.map(UserSpaceKiller::canKill).orElse(false),
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

  private NodePause pause(CharonSettings wanted) {
    return new NodePause(
        wanted,
        cgroups.possible(),
        sensors.node(),
        launches.gate(),
        this::phase,
        executor,
        metrics,
        surroundings.nanoClock());
  }

  private Optional<KernelGuard> kernel(CharonSettings wanted) {
    return wanted.mode() == Mode.ENFORCE
        ? cgroups.layout().flatMap(this::kernelIn)
        : Optional.empty();
  }

  private Optional<KernelGuard> kernelIn(CgroupLayout layout) {
    return settings
        .kernelKiller()
        .map(
            wanted ->
                KernelGuard.of(
                    wanted, layout, cgroups.left(), this::containerInfos, this::outside, kills));
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

  /** Where memory is to be taken back nobody waits for the next tick. */
  private void lookAtOnce() {
    if (!ticker.isShutdown() && looksAtOnce.compareAndSet(false, true)) {
      ticker.execute(
          () -> {
            looksAtOnce.set(false);
            parts.run("measuring containers", this::measureContainers);
            parts.run("watching the node", this::observeNode);
          });
    }
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
    startKiller();
    watchdog.start();
    // No tick throws, so there is nothing to learn from the future.
    var unused =
        ticker.scheduleWithFixedDelay(
            () -> parts.run("a tick", this::tick),
            0,
            settings.tick().toMillis(),
            TimeUnit.MILLISECONDS);
    LOG.info(
        "Charon runs in mode {}, node memory boundary {}",
        settings.mode(),
        settings.memoryBoundary());
  }

  private void startKiller() {
    killer =
        launches
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
                        settings.killerPoll(),
                        this::kernelInCharge,
                        () -> settings.mode() == Mode.KUBER && watchdog.late().isEmpty(),
                        () -> launchable.run()));
    killer.ifPresent(UserSpaceKiller::start);
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
    if (!cgroups.left().isEmpty()) {
      withdraw(cgroups.possible().flatMap(this::kernelIn));
    }
  }

  /** Nobody on this node is killed by the kernel killer any more. */
  private void withdraw(Optional<KernelGuard> guard) {
    guard.ifPresent(loaded -> loaded.withdraw(cgroups.left().keySet()));
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
    directory = Optional.of(known);
    askAboutApplications();
  }

  private void askAboutApplications() {
    boolean wanted = launches.learning().isPresent() && learning.wantsNames();
    if (directory.isPresent() && names.isEmpty() && (wanted || settings.masters().isPresent())) {
      ApplicationNames known = new ApplicationNames(directory.get().get());
      names = Optional.of(known);
      if (learning.wantsNames()) {
        learning.names(known);
      }
    }
    masters = settings.masters().flatMap(wantedOf -> names.map(known -> masters(wantedOf, known)));
  }

  private MasterWeights masters(MasterSettings wanted, ApplicationNames known) {
    return new MasterWeights(
        application ->
            known.known(application).map(entry -> wanted.isBestEffort(entry.tags(), entry.queue())),
        master -> lowerWeight(master, wanted.weightPercent()));
  }

  private void lowerWeight(ContainerInfo master, int percent) {
    cgroups.weigh(master, percent);
    LOG.info(
        "{} manages a best-effort application: its CPU weight is {} % of production's",
        master.containerId(), percent);
  }

  /** A best-effort container of an application is going to ask to start. */
  public void expect(String applicationId) {
    if (learning.wantsNames() && launches.learning().isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
    }
  }

  /** The ApplicationMaster of an application is going to start. */
  public void expectMaster(String applicationId) {
    if (masters.isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
    }
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

  /**
   * A container is about to start.
   *
   * @return what its first process does before any user code; nothing where Charon does not act
   */
  public Optional<LaunchPrefix> starting(ContainerInfo container) {
    boolean places = settings.places();
    ledger.started(container);
    placed.started(container.containerId(), places);
    if (container.executionType() == ExecutionType.OPPORTUNISTIC) {
      metrics.launched().inc();
      launches.started(container);
      if (launches.gate().map(gate -> gate.runningOldestFirst().size() == 1).orElse(false)) {
        lookAtOnce(); // what is limited only while best-effort runs is limited before it does
      }
    }
    if (!places) {
      return Optional.empty();
    }
    List<Path> joins = cgroups.create(container);
    if (!joins.isEmpty()) {
      kernel.ifPresent(guard -> guard.started(container));
    }
    masters.ifPresent(weights -> weights.follow(container));
    return Optional.of(new LaunchPrefix(scores.scoreOf(container), joins));
  }

  /** A container that an earlier NodeManager started is watched again. */
  public void reacquired(ContainerInfo container) {
    ledger.started(container);
    launches.reacquired(container);
    boolean hasPlace = wasPlaced(container.containerId());
    placed.started(container.containerId(), hasPlace);
    kernel.ifPresent(guard -> guard.reacquired(container));
    if (hasPlace) {
      masters.ifPresent(weights -> weights.follow(container));
      pause.recovered(container.containerId());
    }
  }

  /** Its cgroup says so; where there are none at all, nobody can tell. */
  private boolean wasPlaced(String containerId) {
    return cgroups.has(containerId) || (settings.places() && cgroups.layout().isEmpty());
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

  /** A container was sent a signal that ends it, which a frozen one may not get before it thaws. */
  public void signalled(String containerId) {
    kills.delays().signalled(containerId);
    if (launches.gate().map(gate -> gate.isRunning(containerId)).orElse(false)) {
      dying.add(containerId);
    }
    stop.release(containerId);
    release(containerId);
  }

  private void release(String containerId) {
    if (!placed.isUntouched(containerId)) {
      pause.release(containerId);
    }
  }

  /** What is known of the containers that run. */
  public Collection<ContainerLedger.Entry> containers() {
    return ledger.entries();
  }

  /**
   * A running container was promoted to production, or demoted to best-effort. Its charge, its
   * processes' cgroups and scores, and what the kernel killer may do to it follow; first whatever
   * protects production. One that started untouched stays so; one that Charon placed is moved
   * whatever the mode is by now, or production would run where best-effort does.
   */
  public void changed(ContainerInfo container) {
    ledger.changed(container);
    launches.changed(container);
    stop.release(container.containerId());
    if (placed.isUntouched(container.containerId())) {
      return;
    }
    pause.release(container.containerId());
    List<Long> processes =
        kernel
            .map(guard -> guard.changed(container, () -> cgroups.move(container)))
            .orElseGet(() -> cgroups.move(container));
    masters.ifPresent(weights -> weights.follow(container));
    long unchanged = scores.change(container, processes);
    metrics.toleratedFailures().inc(unchanged);
    LOG.info(
        "{} is {} now: {} processes moved, {} of them keep their oom_score_adj",
        container.containerId(),
        container.containerClass().directoryName(),
        processes.size(),
        unchanged);
  }

  /** A production container is admitted: in kuber mode its request is made room for. */
  public void productionStarts(long requestedBytes) {
    if (settings.mode() == Mode.KUBER) {
      killer.ifPresent(userSpaceKiller -> userSpaceKiller.productionStarts(requestedBytes));
    }
  }

  /** All processes that YARN knows of a container have ended: its cgroup goes. */
  public void stopped(String containerId) {
    masters.ifPresent(weights -> weights.stopped(containerId));
    kernel.ifPresent(guard -> guard.stopped(containerId));
    kills.delays().stopped(containerId);
    dying.remove(containerId);
    stop.release(containerId);
    if (!placed.isUntouched(containerId)) {
      if (killReason(containerId).isEmpty() && cgroups.oomKills(containerId) > 0) {
        kills.killedByLinux(containerId);
      }
      pause.release(containerId);
      cgroups.remove(containerId);
    }
    placed.ended(containerId);
  }

  /** Why a container was killed for memory, if it was. */
  public Optional<String> killReason(String containerId) {
    kernel.ifPresent(KernelGuard::readKills);
    return ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason);
  }

  /** A container that ran gives its memory back; {@link #ended} says later how it ended. */
  public void released(String containerId) {
    long peakBytes = ledger.find(containerId).map(ContainerLedger.Entry::peakBytes).orElse(0L);
    launches
        .ended(containerId, peakBytes, killReason(containerId).isPresent())
        .filter(PeakEstimate::isMeasured)
        .ifPresent(metrics::foreseen);
  }

  /** A container ended, whether it ran or waited. */
  public void ended(String containerId, ContainerEnd end) {
    released(containerId);
    ledger.remove(containerId);
    placed.ended(containerId);
    kills.delays().forget(containerId);
    dying.remove(containerId);
    switch (end) {
      case REJECTED -> metrics.rejected().inc();
      case SHED -> metrics.shed().inc();
      case KILLED_FOR_MEMORY -> metrics.killedForMemory().inc();
      case PREEMPTED_BY_YARN -> metrics.preemptedByYarn().inc();
      case OTHER -> {}
    }
  }

  /** Something of Charon's failed that the container or the NodeManager must not notice. */
  public void tolerated(String what, Throwable fault) {
    metrics.toleratedFailures().inc();
    LOG.warn("{} failed; the container goes on without it", what, fault);
  }

  @Override
  public void close() {
    watchdog.close();
    killer.ifPresent(UserSpaceKiller::close);
    cluster.ifPresent(ClusterOrders::close);
    stop.close();
    pause.close();
    endTicks();
    names.ifPresent(ApplicationNames::close);
    learning.close();
    recording.ifPresent(RecordingWriter::close);
    regulation.close();
    executor.close();
    kernel.ifPresent(KernelGuard::close);
    audit.close();
    reporter.unregister();
    metrics.close();
    cgroups.close();
  }

  /** A tick that runs ends first, so that nothing is set after it was taken away. */
  private void endTicks() {
    ticker.shutdown();
    try {
      if (!ticker.awaitTermination(LAST_TICK.toMillis(), TimeUnit.MILLISECONDS)) {
        ticker.shutdownNow();
      }
    } catch (InterruptedException e) {
      ticker.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private boolean kernelInCharge() {
    return kernel.map(this::killerState).map(KernelGuard.State::inCharge).orElse(false);
  }

  /** Nobody knows what becomes of the kernel killer while no tick looks after it. */
  private KernelGuard.State killerState(KernelGuard guard) {
    KernelGuard.State state = guard.state();
    return watchdog.late().map(state::notInCharge).orElse(state);
  }

  private void readKernelKillsAtOnce() {
    kernel.ifPresent(KernelGuard::readKillsAtOnce);
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

  /** Each part by itself: what one cannot do, the others do nevertheless. */
  private void tick() {
    metrics
        .tick()
        .time(
            () -> {
              parts.run("reading the settings again", this::followSettings);
              parts.run("looking where containers are", this::followPlaces);
              parts.run("looking after the kernel killer", this::followKernel);
              parts.run("the weight of ApplicationMasters", this::followMasters);
              parts.run("measuring containers", this::measureContainers);
              parts.run("watching the node", this::observeNode);
              parts.run("thawing what was left frozen", () -> pause.tick());
              parts.run("following YARN", () -> afterTick.run());
            });
    watchdog.completed();
  }

  private void followSettings() {
    source.flatMap(SettingsSource::changed).ifPresent(this::change);
  }

  private void followPlaces() {
    places.ifPresent(ContainerPlaces::look);
  }

  private void followKernel() {
    kernel.ifPresent(KernelGuard::tick);
  }

  private void followMasters() {
    masters.ifPresent(MasterWeights::tick);
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
      pause = pause(now);
      pause.start();
    }
    if (!changesMode && !now.kernelKiller().equals(before.kernelKiller())) {
      kernel.ifPresent(guard -> changeRule(guard, now.kernelKiller().orElseThrow()));
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
    askAboutApplications();
    killer.ifPresent(UserSpaceKiller::close);
    startKiller();
    withdraw(kernel);
    kernel = kernel(settings);
    ledger.entries().stream()
        .map(ContainerLedger.Entry::info)
        .filter(container -> cgroups.has(container.containerId()))
        .forEach(container -> kernel.ifPresent(guard -> guard.reacquired(container)));
    LOG.info(
        "mode {} becomes {}: {} containers that Charon placed and {} that it did not go on as they"
            + " are",
        before,
        now,
        placed.placed(),
        placed.untouched().size());
  }

  private void changeRule(KernelGuard guard, KernelKillerSettings wanted) {
    try {
      guard.change(wanted);
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
    long keptFreeBytes = kernelInCharge() ? 0 : lowMemory.thresholdBytes(memory.capacityBytes());
    if (pause.acts()) {
      keptFreeBytes = Math.max(keptFreeBytes, pause.resumeBytes(memory.capacityBytes()));
    }
    return new NodeMemory(
        memory.capacityBytes(), Math.max(0, memory.availableBytes() - keptFreeBytes));
  }
}
