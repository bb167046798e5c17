/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.NodeMemory;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.freeze.PauseState;
import io.charon.nodemanager.mechanisms.kill.KernelGuard;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.stop.StopState;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the state of a node together when somebody asks, and shows it in JMX. */
public final class StatusReporter implements StatusMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);
  private static final String BEAN = "io.charon:type=Status";
  private static final String ESTIMATED =
      "working sets: they are sums over process trees, which leave the page cache out, since"
          + " containers get cgroups of their own in mode enforce only";
  private static final String UNAVAILABLE =
      "kills by thrash: the kernel killer watches cgroups of containers; kills counted here are"
          + " those of the user-space killer";
  private static final double MILLIS_PER_SECOND = 1000;
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** If many run outside of their cgroups, they do so for the same reason. */
  private static final int NAMED_OUTSIDE = 8;

  private final Supplier<CharonSettings> settings;
  private final NodeMetrics metrics;
  private final ContainerLedger ledger;
  private final PlacedContainers placed;
  private final Supplier<Optional<LaunchGate>> gate;
  private final Supplier<Optional<LaunchGate>> measures;
  private final Supplier<Optional<LaunchObserver.Totals>> observation;
  private final IntSupplier waitingForYarn;
  private final Supplier<Optional<KernelGuard.State>> kernel;
  private final BooleanSupplier userSpaceKills;
  private final Supplier<ContainerPlaces.Outside> outside;
  private final KillLog kills;
  private final Supplier<List<MechanismRunner.State>> regulators;
  private final Supplier<Optional<NodeReading>> snapshot;
  private final Supplier<PauseState> pause;
  private final Supplier<Optional<SettingsSource.State>> configuration;
  private final Supplier<StopState> stop;
  private final ObjectMapper mapper = new ObjectMapper();
  private volatile Optional<NodeMemory> memory = Optional.empty();

  /**
   * Creates a reporter.
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
   * @param outside who runs outside of its cgroup
   * @param kills of the recent past
   * @param regulators what each decided last
   * @param snapshot what was seen at the last tick
   * @param pause who is frozen
   * @param configuration where the settings come from, if they can change
   * @param stop whether an operator keeps best-effort stopped
   */
  public StatusReporter(
      Supplier<CharonSettings> settings,
      NodeMetrics metrics,
      ContainerLedger ledger,
      PlacedContainers placed,
      Supplier<Optional<LaunchGate>> gate,
      Supplier<Optional<LaunchGate>> measures,
      Supplier<Optional<LaunchObserver.Totals>> observation,
      IntSupplier waitingForYarn,
      Supplier<Optional<KernelGuard.State>> kernel,
      BooleanSupplier userSpaceKills,
      Supplier<ContainerPlaces.Outside> outside,
      KillLog kills,
      Supplier<List<MechanismRunner.State>> regulators,
      Supplier<Optional<NodeReading>> snapshot,
      Supplier<PauseState> pause,
      Supplier<Optional<SettingsSource.State>> configuration,
      Supplier<StopState> stop) {
    this.settings = settings;
    this.metrics = metrics;
    this.ledger = ledger;
    this.placed = placed;
    this.gate = gate;
    this.measures = measures;
    this.observation = observation;
    this.waitingForYarn = waitingForYarn;
    this.kernel = kernel;
    this.userSpaceKills = userSpaceKills;
    this.outside = outside;
    this.kills = kills;
    this.regulators = regulators;
    this.snapshot = snapshot;
    this.pause = pause;
    this.configuration = configuration;
    this.stop = stop;
    showGauges();
  }

  private void showGauges() {
    metrics.gauge(Metric.KILLER_TIER, this::tierInCharge);
    metrics.gauge(Metric.NODE_CAPACITY, () -> memory.map(NodeMemory::capacityBytes).orElse(0L));
    metrics.gauge(Metric.NODE_AVAILABLE, () -> memory.map(NodeMemory::availableBytes).orElse(0L));
    metrics.gauge(Metric.STOPPED, () -> stop.get().order().stops() ? 1 : 0);
    metrics.gauge(Metric.QUEUE_LIMIT, () -> settings.get().scheduler().queueLimit());
    show("production", ExecutionType.GUARANTEED);
    show("best_effort", ExecutionType.OPPORTUNISTIC);
    metrics.decimal(
        Metric.KILLER_IN_CHARGE,
        "kernel",
        () -> kernel.get().map(state -> state.inCharge() ? 1.0 : 0).orElse(Double.NaN));
    metrics.gauge(
        Metric.FOREIGN_REGISTRATIONS,
        () -> kernel.get().map(KernelGuard.State::foreignRegistrations).orElse(0));
    metrics.decimal(
        Metric.KILLER_IN_CHARGE,
        "user_space",
        () -> gate.get().map(decides -> userSpaceInCharge()).orElse(Double.NaN));
    metrics.decimal(
        Metric.MEMORY_SNAPSHOT,
        "",
        () ->
            measures
                .get()
                .map(decides -> decides.view().launchableBytes() * 1.0)
                .orElse(Double.NaN));
    metrics.gauge(
        Metric.QUEUED,
        () ->
            gate.get()
                .map(decides -> decides.view().waiting().size())
                .orElseGet(waitingForYarn::getAsInt));
    metrics.gauge(Metric.RUNNING, () -> runningBestEffort());
    metrics.gauge(Metric.UNTOUCHED, () -> placed.untouched().size());
    metrics.gauge(Metric.OUTSIDE_CGROUP, () -> outside.get().places().size());
    metrics.decimal(Metric.CLUSTER_WORD_AGE, "", this::clusterWordAgeSeconds);
    showObservation();
  }

  /** NaN while no ResourceManager ever answered. */
  private double clusterWordAgeSeconds() {
    return stop.get()
        .cluster()
        .filter(heard -> heard.ageMillis() >= 0)
        .map(heard -> heard.ageMillis() / MILLIS_PER_SECOND)
        .orElse(Double.NaN);
  }

  private void showObservation() {
    observed(Metric.OBSERVED_SECONDS, LaunchObserver.Totals::seconds);
    observed(Metric.OBSERVED_OFFERED, totals -> totals.launchableBytes());
    observed(Metric.OBSERVED_EARLIER, totals -> totals.startedEarlier());
    observed(Metric.OBSERVED_EARLIER_SECONDS, LaunchObserver.Totals::earlierSeconds);
    observed(Metric.OBSERVED_HELD_BACK, totals -> totals.heldBack());
    observed(Metric.OBSERVED_KILLS, totals -> totals.killed());
  }

  private void observed(Metric metric, ToDoubleFunction<LaunchObserver.Totals> value) {
    metrics.decimal(
        metric, "", () -> observation.get().map(value::applyAsDouble).orElse(Double.NaN));
  }

  private double userSpaceInCharge() {
    return !kernelInCharge() && userSpaceKills.getAsBoolean() ? 1 : 0;
  }

  private long runningBestEffort() {
    return gate.get()
        .map(decides -> decides.view().running().size())
        .orElseGet(
            () ->
                (int)
                    ledger.entries().stream()
                        .filter(
                            entry -> entry.info().executionType() == ExecutionType.OPPORTUNISTIC)
                        .count());
  }

  private void show(String label, ExecutionType type) {
    metrics.gauge(Metric.REQUESTED, label, () -> sum(type, entry -> entry.info().requestedBytes()));
    metrics.gauge(
        Metric.WORKING_SET, label, () -> sum(type, ContainerLedger.Entry::workingSetBytes));
  }

  private long sum(ExecutionType type, ToLongFunction<ContainerLedger.Entry> bytes) {
    return ledger.entries().stream()
        .filter(entry -> entry.info().executionType() == type)
        .mapToLong(bytes)
        .sum();
  }

  /** A tick read the node's memory, or could not. */
  public void observed(Optional<NodeMemory> reading) {
    memory = reading;
  }

  /** Shows the status in JMX; where that is refused it says so and goes on. */
  public void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(BEAN);
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    } catch (JMException e) {
      LOG.warn("the status of Charon is not on the /jmx page", e);
    }
  }

  /** Takes the status out of JMX. */
  public void unregister() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(BEAN));
    } catch (JMException e) {
      LOG.debug("the status of Charon was not on the /jmx page", e);
    }
  }

  @Override
  public String getJson() {
    try {
      return mapper.writeValueAsString(document());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The state at this instant. */
  public StatusDocument document() {
    Optional<LaunchGate.View> view = gate.get().map(LaunchGate::view);
    CharonSettings now = settings.get();
    return new StatusDocument(
        lower(now.mode()),
        memory
            .map(
                reading ->
                    new StatusDocument.Node(
                        lower(now.memoryBoundary()),
                        reading.capacityBytes(),
                        reading.availableBytes()))
            .orElse(null),
        view.map(LaunchGate.View::launchableBytes).orElse(null),
        view.map(state -> seconds(state.delayedNanos())).orElse(null),
        now.scheduler().queueLimit(),
        counters(),
        running(view),
        queued(view),
        decisions(view),
        KillDocuments.killer(kernel.get(), userSpaceKills.getAsBoolean()),
        outside(outside.get()),
        kills.recent().stream().map(KillDocuments::kill).toList(),
        regulators.get().stream().map(RegulatorDocuments::regulator).toList(),
        snapshot.get().map(RegulatorDocuments::resources).orElse(null),
        pause(pause.get()),
        placement(now.mode()),
        observation.get().map(this::observation).orElse(null),
        configuration.get().map(StatusReporter::configuration).orElse(null),
        StopDocuments.stop(stop.get()));
  }

  /** 1 to 3; 0 while the kernel killer is not in charge. */
  private long tierInCharge() {
    return kernel
        .get()
        .filter(KernelGuard.State::inCharge)
        .flatMap(KernelGuard.State::tier)
        .map(KernelTier::number)
        .orElse(0);
  }

  private boolean kernelInCharge() {
    return kernel.get().map(KernelGuard.State::inCharge).orElse(false);
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("launched", metrics.launched().getCount());
    counters.put("rejected", metrics.rejected().getCount());
    counters.put("shed", metrics.shed().getCount());
    counters.put("killed", metrics.killedForMemory().getCount());
    counters.put("preemptedByYarn", metrics.preemptedByYarn().getCount());
    counters.put("toleratedFailures", metrics.toleratedFailures().getCount());
    return counters;
  }

  private List<StatusDocument.Running> running(Optional<LaunchGate.View> view) {
    Map<String, LaunchGate.Running> bestEffort =
        view.map(LaunchGate.View::running).orElse(List.of()).stream()
            .collect(
                Collectors.toMap(
                    running -> running.container().request().containerId(), Function.identity()));
    return ledger.entries().stream()
        .map(
            entry -> {
              Optional<LaunchGate.Running> charged =
                  Optional.ofNullable(bestEffort.get(entry.info().containerId()));
              return new StatusDocument.Running(
                  entry.info().containerId(),
                  lower(entry.info().executionType()),
                  entry.info().applicationMaster(),
                  entry.info().job().value(),
                  entry.info().requestedBytes(),
                  charged.map(running -> running.container().expectedPeakBytes()).orElse(null),
                  entry.workingSetBytes(),
                  entry.peakBytes(),
                  charged.map(running -> seconds(running.runningNanos())).orElse(null));
            })
        .toList();
  }

  private static List<StatusDocument.Queued> queued(Optional<LaunchGate.View> view) {
    return view.map(LaunchGate.View::waiting).orElse(List.of()).stream()
        .map(
            waiting ->
                new StatusDocument.Queued(
                    waiting.request().containerId(),
                    waiting.request().job().value(),
                    waiting.request().requestedBytes(),
                    seconds(waiting.waitingNanos()),
                    waiting.reason().text()))
        .toList();
  }

  private static List<StatusDocument.Decision> decisions(Optional<LaunchGate.View> view) {
    return view.map(LaunchGate.View::recent).orElse(List.of()).stream()
        .map(
            dated -> {
              LaunchDecision decision = dated.decision();
              return new StatusDocument.Decision(
                  dated.time().toString(),
                  decision.containerId(),
                  lower(decision.outcome()),
                  decision.verdict().reason().text(),
                  decision.verdict().neededBytes(),
                  decision.verdict().limitBytes());
            })
        .toList();
  }

  private static StatusDocument.OutsideCgroups outside(ContainerPlaces.Outside found) {
    return found.places().isEmpty()
        ? null
        : new StatusDocument.OutsideCgroups(
            found.places().size(),
            found.places().entrySet().stream()
                .limit(NAMED_OUTSIDE)
                .map(
                    entry ->
                        new StatusDocument.OutsideCgroup(
                            entry.getKey(), entry.getValue().toString()))
                .toList(),
            found.reason(),
            found.cure());
  }

  private static StatusDocument.Pause pause(PauseState state) {
    if (state.mode() == RegulatorMode.OFF) {
      return null;
    }
    return new StatusDocument.Pause(
        lower(state.mode()),
        state.unavailable().isEmpty(),
        state.unavailable().orElse(null),
        state.paused().entrySet().stream()
            .map(
                entry ->
                    new StatusDocument.Paused(
                        entry.getKey(),
                        seconds(entry.getValue().nanos()),
                        entry.getValue().reclaimedBytes(),
                        entry.getValue().reason()))
            .toList());
  }

  private StatusDocument.Observation observation(LaunchObserver.Totals totals) {
    List<ContainerLedger.Entry> production =
        ledger.entries().stream()
            .filter(entry -> entry.info().executionType() == ExecutionType.GUARANTEED)
            .toList();
    return new StatusDocument.Observation(
        totals.seconds(),
        production.stream().mapToLong(entry -> entry.info().requestedBytes()).sum(),
        production.stream().mapToLong(ContainerLedger.Entry::workingSetBytes).sum(),
        totals.launchableBytes(),
        totals.startedEarlier(),
        totals.earlierSeconds(),
        totals.heldBack(),
        totals.killed(),
        ESTIMATED,
        UNAVAILABLE);
  }

  private StatusDocument.Placement placement(Mode mode) {
    int untouched = placed.untouched().size();
    int enforced = placed.placed();
    return new StatusDocument.Placement(
        enforced, untouched, mode.acts() ? untouched == 0 : enforced == 0);
  }

  private static StatusDocument.Configuration configuration(SettingsSource.State state) {
    return new StatusDocument.Configuration(
        state.file().orElse(null),
        state.overrides(),
        state.readMillis(),
        state.needRestart(),
        state.problem().orElse(null));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
