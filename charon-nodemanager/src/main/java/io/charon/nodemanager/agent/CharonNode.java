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
 * The agent of one NodeManager. Once per tick it reads the sensors and updates the local scheduler;
 * between ticks it answers calls from YARN's threads with the results. Does not depend on YARN's
 * classes. {@link NodeParts} lists its parts and the steps of a tick.
 */
public final class CharonNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNode.class);

  private final NodeParts parts;
  private final PrometheusText metricsText;

  /**
   * Prepares a node; nothing runs before {@link #start}.
   *
   * @param settings the operator's settings
   * @param surroundings the machine, the clocks and the network that the node uses
   * @param yarn the node's view of YARN
   */
  public CharonNode(CharonSettings settings, Surroundings surroundings, YarnSide yarn) {
    this.parts = new NodeParts(settings, surroundings, yarn, LOG);
    this.metricsText = new PrometheusText(parts.metrics::read);
  }

  /**
   * Sets the source of the settings. From now on, settings that may change at run time follow it.
   *
   * @param source read by each tick
   */
  public void follow(SettingsSource source) {
    parts.settings.follow(source);
    parts.stop.follow(source.stopFile());
    source
        .stopSettings()
        .map(asked -> ClusterOrders.of(asked, parts.surroundings.web(), parts.surroundings.clock()))
        .ifPresent(parts.stop::followCluster);
  }

  /** Starts the tick and the parts that have their own thread in this mode. */
  public void start() {
    parts.metrics.start();
    parts.recording.ifPresent(this::record);
    parts.settings.start();
    parts.freeze.start();
    parts.stop.start();
    parts.reporter.register();
    parts.killers.start(settings());
    parts.ticker.start();
    LOG.info(
        "Charon runs in mode {}, node memory boundary {}",
        settings().mode(),
        settings().sensors().memoryBoundary());
  }

  private void record(RecordingWriter writer) {
    LaunchGate gate = parts.launches.gateInAnyMode();
    gate.record(writer::add);
    writer.start(gate::checkpoint);
  }

  /**
   * Closes the parts that act on their own first, then removes the limits that were set, then
   * closes the audit log, the metrics and the cgroups.
   */
  @Override
  public void close() {
    parts.killers.closeUserSpace();
    parts.stop.close();
    parts.freeze.close();
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
   * Applies new settings; only those that may change at run time take effect.
   *
   * @param wanted settings read later than the current ones; pass them from the tick's thread or
   *     while no tick runs
   */
  public void change(CharonSettings wanted) {
    parts.settings.change(wanted);
  }

  /** Returns the settings in force. */
  public CharonSettings settings() {
    return parts.settings.now();
  }

  /** Returns the receiver of all events of containers. */
  public ContainerLifecycle lifecycle() {
    return parts.lifecycle;
  }

  /** Returns the signals to which YARN's side can subscribe. */
  public NodeSignals signals() {
    return parts.signals;
  }

  /** Returns the gate that decides about launches; empty where stock YARN decides. */
  public Optional<LaunchGate> gate() {
    return parts.launches.gate();
  }

  /** Returns the ledger entries of the running containers. */
  public Collection<ContainerLedger.Entry> containers() {
    return parts.ledger.entries();
  }

  /** Returns a lister of containers' processes by cgroup; empty if this node creates no cgroups. */
  public Optional<ContainerProcesses> containerProcesses() {
    return parts.cgroups.layout().map(ContainerProcesses::new);
  }

  /** Announces that a best-effort container of an application is about to ask for a launch. */
  public void expect(String applicationId) {
    parts.applications.expect(applicationId);
  }

  /** Announces that the ApplicationMaster of an application is about to start. */
  public void expectMaster(String applicationId) {
    parts.applications.expectMaster(applicationId);
  }

  /**
   * Announces that a production container was admitted; in {@code threshold} mode, memory is freed
   * for its request.
   */
  public void productionStarts(long requestedBytes) {
    parts.killers.productionStarts(requestedBytes);
  }

  /** Returns whether a container can be frozen, which requires a cgroup that Charon created. */
  public boolean canPause(String containerId) {
    return parts.cgroups.has(containerId);
  }

  /**
   * Freezes a container that YARN pauses.
   *
   * @throws IOException if the container has no cgroup that can be frozen
   */
  public void paused(String containerId) throws IOException {
    parts.freeze.pausedByYarn(containerId);
  }

  /**
   * Thaws a container that YARN paused and now resumes.
   *
   * @throws IOException if the container cannot be thawed
   */
  public void resumed(String containerId) throws IOException {
    parts.freeze.resumedByYarn(containerId);
  }

  /** Returns the state of the node as {@code bin/charon status} prints it. */
  public StatusDocument status() {
    return parts.reporter.document();
  }

  /** Returns the state of the node as JSON on a single line. */
  public String statusJson() {
    return parts.reporter.getJson();
  }

  /** Returns the current values of all metrics of the node. */
  public List<MetricFamily> readMetrics() {
    return parts.metrics.read();
  }

  /** Returns all metrics of the node in the text format of Prometheus. */
  public PrometheusText metricsText() {
    return metricsText;
  }

  /**
   * Counts and logs a failure inside Charon that must not affect the container or the NodeManager.
   */
  public void tolerated(String what, Throwable fault) {
    parts.metrics.toleratedFailures().inc();
    LOG.warn("{} failed; the container continues without it", what, fault);
  }
}
