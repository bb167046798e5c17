/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Isolation;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.launch.LaunchView;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the state of a node on request, and publishes it in JMX. */
public final class StatusReporter implements StatusMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);
  private static final String BEAN = "io.charon:type=Status";
  private static final String ESTIMATED =
      "working sets: they are sums over process trees, without the page cache, because"
          + " containers have their own cgroups in mode enforce only";
  private static final String UNAVAILABLE =
      "kills by thrash: the kernel killer needs the containers' own cgroups; the kills counted here are"
          + " those of the user-space killer";
  private static final String NOT_ENFORCED =
      "not enforced: best-effort has no cgroup above its containers'; only launches follow the limit";
  private static final String OWN = "by Charon's own cgroups";
  private static final String BESIDE =
      "by Charon's own cgroups, in the hierarchies that no other component uses";
  private static final String NOT_COUNTED =
      "not enforced, and not known: the memory of containers is not counted separately; set"
          + " yarn.nodemanager.resource.memory.enabled to true";
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * Maximum number of containers listed; if many run outside their cgroups, the reason is the same.
   */
  private static final int NAMED_OUTSIDE = 8;

  private final StatusSource node;
  private final ReclaimedNumbers reclaimed;
  private final ObjectMapper mapper = new ObjectMapper();
  private volatile Optional<NodeMemory> memory = Optional.empty();

  /**
   * Creates a reporter and publishes the metrics of the node.
   *
   * @param node the source of the values
   */
  public StatusReporter(StatusSource node) {
    this.node = node;
    this.reclaimed = new ReclaimedNumbers(node, () -> memory);
    new NodeGauges(node, () -> memory).show();
  }

  /** Records the reading of a tick; empty if the node's memory could not be read. */
  public void observed(Optional<NodeMemory> reading) {
    memory = reading;
  }

  /** Publishes the status in JMX; logs a failure and continues. */
  public void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(BEAN);
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    } catch (JMException e) {
      LOG.warn("cannot publish the status of Charon on the /jmx page", e);
    }
  }

  /** Removes the status from JMX. */
  public void unregister() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(BEAN));
    } catch (JMException e) {
      LOG.debug("cannot remove the status of Charon from the /jmx page", e);
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

  /** Returns the current state. */
  public StatusDocument document() {
    CharonSettings now = node.settings().get();
    return new StatusDocument(
        lower(now.mode()),
        memory
            .map(
                reading ->
                    new StatusDocument.Node(
                        lower(now.sensors().memoryBoundary()),
                        reading.capacityBytes(),
                        reading.availableBytes()))
            .orElse(null),
        launches(now),
        containment(now),
        mechanisms(),
        placement(now.mode()),
        node.launches().observation().get().map(this::observation).orElse(null),
        new StatusDocument.Operator(
            node.configuration().get().map(StatusReporter::configuration).orElse(null),
            StopDocuments.stop(node.stop().get())));
  }

  private StatusDocument.Launches launches(CharonSettings now) {
    Optional<LaunchView> view = node.launches().gate().get().map(LaunchGate::view);
    return new StatusDocument.Launches(
        view.map(LaunchView::launchableBytes).orElse(null),
        view.map(LaunchView::runnablePerCore).orElse(null),
        view.map(state -> seconds(state.delayedNanos())).orElse(null),
        now.scheduler().queue().limit(),
        counters(),
        running(view),
        view.map(StatusReporter::queued).orElseGet(this::waitingForYarn),
        decisions(view));
  }

  private StatusDocument.Containment containment(CharonSettings now) {
    StatusSource.Killers killers = node.killers();
    return new StatusDocument.Containment(
        KillDocuments.killer(killers.kernel().get(), killers.userSpaceKills().getAsBoolean(), now),
        now.placement()
            .cgroupPath()
            .map(unused -> isolation(now, node.containers().makesCgroups().getAsBoolean()))
            .orElse(null),
        outside(node.containers().outside().get()),
        killers.log().recent().stream().map(KillDocuments::kill).toList());
  }

  private StatusDocument.Mechanisms mechanisms() {
    StatusSource.Mechanisms mechanisms = node.mechanisms();
    return new StatusDocument.Mechanisms(
        mechanisms.states().get().stream().map(RegulatorDocuments::regulator).toList(),
        mechanisms.lastReading().get().map(RegulatorDocuments::resources).orElse(null),
        List.of(
            RegulatorDocuments.reclaimed("memory", "bytes", reclaimed.bytes()),
            RegulatorDocuments.reclaimed("cpu", "cores", reclaimed.cores())),
        freeze(mechanisms.freeze().get()),
        new StatusDocument.Tick(
            seconds(mechanisms.tick().ageNanos().getAsLong()),
            mechanisms.tick().late().get().orElse(null)));
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("launched", node.metrics().launched().getCount());
    counters.put("rejected", node.metrics().rejected().getCount());
    counters.put("shed", node.metrics().shed().getCount());
    counters.put("handedBack", node.metrics().handedBack().getCount());
    counters.put("killed", node.metrics().killedForMemory().getCount());
    counters.put("preemptedByYarn", node.metrics().preemptedByYarn().getCount());
    counters.put("toleratedFailures", node.metrics().toleratedFailures().getCount());
    return counters;
  }

  private List<StatusDocument.Running> running(Optional<LaunchView> view) {
    Map<String, LaunchView.Running> bestEffort =
        view.map(LaunchView::running).orElse(List.of()).stream()
            .collect(
                Collectors.toMap(
                    running -> running.container().request().containerId(), Function.identity()));
    return node.containers().ledger().entries().stream()
        .map(
            entry -> {
              Optional<LaunchView.Running> charged =
                  Optional.ofNullable(bestEffort.get(entry.info().containerId()));
              return new StatusDocument.Running(
                  entry.info().containerId(),
                  lower(entry.info().executionType()),
                  entry.info().applicationMaster(),
                  masterPercent(entry.info().containerId()),
                  entry.info().job().value(),
                  new StatusDocument.Memory(
                      entry.info().requestedBytes(),
                      charged.map(running -> running.container().expectedPeakBytes()).orElse(null),
                      entry.workingSetBytes(),
                      entry.peakBytes()),
                  charged.map(running -> seconds(running.runningNanos())).orElse(null));
            })
        .toList();
  }

  private Integer masterPercent(String containerId) {
    OptionalInt percent = node.containers().masterWeight().apply(containerId);
    return percent.isPresent() ? percent.getAsInt() : null;
  }

  private static List<StatusDocument.Queued> queued(LaunchView view) {
    return view.waiting().stream()
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

  private List<StatusDocument.Queued> waitingForYarn() {
    return node.launches().waitingForYarn().get().stream()
        .map(
            waiting ->
                new StatusDocument.Queued(
                    waiting.containerId(),
                    waiting.job().value(),
                    waiting.requestedBytes(),
                    null,
                    "stock YARN decides when it starts"))
        .toList();
  }

  private static List<StatusDocument.Decision> decisions(Optional<LaunchView> view) {
    return view.map(LaunchView::recent).orElse(List.of()).stream()
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

  private static StatusDocument.Isolation isolation(CharonSettings now, boolean own) {
    Isolation isolation = now.placement().isolation();
    if (!isolation.attaches()) {
      return own && now.places() ? new StatusDocument.Isolation("own", List.of(), OWN) : null;
    }
    String shared = isolation.memoryCountedByOthers() ? NOT_ENFORCED : NOT_COUNTED;
    return new StatusDocument.Isolation(
        own ? "beside" : "attach", isolation.makers(), own ? BESIDE : shared);
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

  private static StatusDocument.Freeze freeze(FreezeState state) {
    if (state.mode() == RegulatorMode.OFF) {
      return null;
    }
    return new StatusDocument.Freeze(
        lower(state.mode()),
        state.unavailable().isEmpty(),
        state.unavailable().orElse(null),
        state.frozen().entrySet().stream()
            .map(
                entry ->
                    new StatusDocument.Frozen(
                        entry.getKey(),
                        seconds(entry.getValue().nanos()),
                        entry.getValue().reclaimedBytes(),
                        entry.getValue().reason()))
            .toList());
  }

  private StatusDocument.Observation observation(LaunchObserver.Totals totals) {
    List<ContainerLedger.Entry> production =
        node.containers().ledger().entries().stream()
            .filter(entry -> entry.info().executionType() == ExecutionType.GUARANTEED)
            .toList();
    return new StatusDocument.Observation(
        totals.seconds(),
        production.stream().mapToLong(entry -> entry.info().requestedBytes()).sum(),
        production.stream().mapToLong(ContainerLedger.Entry::workingSetBytes).sum(),
        totals.launchableBytes(),
        new StatusDocument.Difference(
            totals.startedEarlier(), totals.earlierSeconds(), totals.heldBack(), totals.killed()),
        ESTIMATED,
        UNAVAILABLE);
  }

  private StatusDocument.Placement placement(Mode mode) {
    int untouched = node.containers().placed().untouched().size();
    int enforced = node.containers().placed().placed();
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
