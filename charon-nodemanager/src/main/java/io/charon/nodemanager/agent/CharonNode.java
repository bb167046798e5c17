/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.cgroup.ContainerProcesses;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.stop.ClusterOrders;
import io.charon.nodemanager.report.metrics.MetricFamily;
import io.charon.nodemanager.report.metrics.PrometheusText;
import io.charon.nodemanager.report.recording.RecordingWriter;
import io.charon.nodemanager.report.status.StatusDocument;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one NodeManager: once per tick it reads the sensors and brings the local scheduler
 * up to date; in between it answers YARN's threads from what it knows. Knows nothing of YARN's
 * classes. {@link NodeParts} says of what it is made, and what a tick does.
 */
public final class CharonNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNode.class);

  private final NodeParts parts;
  private final PrometheusText metricsText;

  /**
   * Prepares a node; nothing runs before {@link #start}.
   *
   * @param settings what the operator decided
   * @param surroundings the machine and the time that it sees
   * @param yarn what YARN knows
   */
  public CharonNode(CharonSettings settings, Surroundings surroundings, YarnSide yarn) {
    this.parts = new NodeParts(settings, surroundings, yarn, LOG);
    this.metricsText = new PrometheusText(parts.metrics::read);
  }

  /**
   * Where the settings come from; what may change at run time follows it from now on.
   *
   * @param source looked at by each tick
   */
  public void follow(SettingsSource source) {
    parts.settings.follow(source);
    parts.stop.follow(source.stopFile());
    source
        .stopSettings()
        .map(asked -> ClusterOrders.of(asked, parts.surroundings.web(), parts.surroundings.clock()))
        .ifPresent(parts.stop::followCluster);
  }

  /** Starts the tick, and whoever has a thread of its own in this mode. */
  public void start() {
    parts.metrics.start();
    parts.recording.ifPresent(this::record);
    parts.settings.start();
    parts.pause.start();
    parts.stop.start();
    parts.reporter.register();
    parts.killers.start(settings());
    parts.ticker.start();
    LOG.info(
        "Charon runs in mode {}, node memory boundary {}",
        settings().mode(),
        settings().memoryBoundary());
  }

  private void record(RecordingWriter writer) {
    LaunchGate gate = parts.launches.inAnyMode();
    gate.record(writer::add);
    writer.start(gate::checkpoint);
  }

  /** First those end who act by themselves; then what was set is taken away, and books are shut. */
  @Override
  public void close() {
    parts.killers.closeUserSpace();
    parts.stop.close();
    parts.pause.close();
    parts.ticker.close();
    parts.applications.close();
    parts.learning.close();
    parts.recording.ifPresent(RecordingWriter::close);
    parts.settings.close();
    parts.executor.close();
    parts.killers.close();
    parts.audit.close();
    parts.reporter.unregister();
    parts.metrics.close();
    parts.cgroups.close();
  }

  /**
   * The operator wants something else. Only what may change at run time does.
   *
   * @param wanted read later than the settings of now; from the tick's thread, or while none runs
   */
  public void change(CharonSettings wanted) {
    parts.settings.change(wanted);
  }

  /** What the operator wants now. */
  public CharonSettings settings() {
    return parts.settings.now();
  }

  /** Hears of the containers; everything that happens to one is told here. */
  public ContainerLifecycle lifecycle() {
    return parts.lifecycle;
  }

  /** Tells YARN's side what it may want to know at once. */
  public NodeSignals signals() {
    return parts.signals;
  }

  /** Decides about launches; absent where stock YARN does. */
  public Optional<LaunchGate> gate() {
    return parts.launches.gate();
  }

  /** What is known of the containers that run. */
  public Collection<ContainerLedger.Entry> containers() {
    return parts.ledger.entries();
  }

  /** Lists the processes of containers by their cgroups; nothing if this node makes none. */
  public Optional<ContainerProcesses> containerProcesses() {
    return parts.cgroups.layout().map(ContainerProcesses::new);
  }

  /** A best-effort container of an application is going to ask to start. */
  public void expect(String applicationId) {
    parts.applications.expect(applicationId);
  }

  /** The ApplicationMaster of an application is going to start. */
  public void expectMaster(String applicationId) {
    parts.applications.expectMaster(applicationId);
  }

  /** A production container is admitted: in kuber mode its request is made room for. */
  public void productionStarts(long requestedBytes) {
    parts.killers.productionStarts(requestedBytes);
  }

  /** Whether a container can be frozen: Charon gave it a cgroup. */
  public boolean canPause(String containerId) {
    return parts.cgroups.has(containerId);
  }

  /**
   * YARN pauses a container.
   *
   * @throws IOException if it has no cgroup that could be frozen
   */
  public void paused(String containerId) throws IOException {
    parts.pause.pausedByYarn(containerId);
  }

  /**
   * YARN resumes a container that it paused.
   *
   * @throws IOException if that cannot be
   */
  public void resumed(String containerId) throws IOException {
    parts.pause.resumedByYarn(containerId);
  }

  /** The state of the node as {@code bin/charon status} prints it. */
  public StatusDocument status() {
    return parts.reporter.document();
  }

  /** The same as JSON, in one line. */
  public String statusJson() {
    return parts.reporter.getJson();
  }

  /** All metrics of the node at this instant. */
  public List<MetricFamily> readMetrics() {
    return parts.metrics.read();
  }

  /** All metrics of the node as Prometheus reads them. */
  public PrometheusText metricsText() {
    return metricsText;
  }

  /** Something of Charon's failed that the container or the NodeManager must not notice. */
  public void tolerated(String what, Throwable fault) {
    parts.metrics.toleratedFailures().inc();
    LOG.warn("{} failed; the container goes on without it", what, fault);
  }
}
