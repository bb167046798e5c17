/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.forecast.ReclaimedResources;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.NodeMemory;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.launch.LaunchObserver;
import io.charon.nodemanager.mechanisms.launch.LaunchView;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The metrics of a node that are computed when they are read. */
final class NodeGauges {
  private static final double MILLIS_PER_SECOND = 1000;

  private final StatusSource node;
  private final NodeMetrics metrics;
  private final Supplier<Optional<NodeMemory>> memory;

  /**
   * Creates the gauges without publishing them.
   *
   * @param node the source of the values
   * @param memory the last reading of the node's memory
   */
  NodeGauges(StatusSource node, Supplier<Optional<NodeMemory>> memory) {
    this.node = node;
    this.metrics = node.metrics();
    this.memory = memory;
  }

  /** Publishes the gauges. */
  void show() {
    metrics.gauge(NodeMetric.KILLER_TIER, this::tierInCharge);
    metrics.gauge(
        NodeMetric.NODE_CAPACITY, () -> memory.get().map(NodeMemory::capacityBytes).orElse(0L));
    metrics.gauge(
        NodeMetric.NODE_AVAILABLE, () -> memory.get().map(NodeMemory::availableBytes).orElse(0L));
    metrics.gauge(NodeMetric.STOPPED, () -> node.stop().get().order().stops() ? 1 : 0);
    metrics.gauge(NodeMetric.QUEUE_LIMIT, () -> node.settings().get().scheduler().queue().limit());
    show("production", ExecutionType.GUARANTEED);
    show("best_effort", ExecutionType.OPPORTUNISTIC);
    ReclaimedNumbers reclaimed = new ReclaimedNumbers(node, memory);
    show(NodeMetric.RECLAIMED_BYTES, reclaimed::bytes);
    show(NodeMetric.RECLAIMED_CORES, reclaimed::cores);
    metrics.decimal(
        NodeMetric.KILLER_IN_CHARGE,
        "kernel",
        () ->
            node.killers()
                .kernel()
                .get()
                .map(state -> state.inCharge() ? 1.0 : 0)
                .orElse(Double.NaN));
    metrics.gauge(
        NodeMetric.FOREIGN_REGISTRATIONS,
        () ->
            node.killers()
                .kernel()
                .get()
                .map(KernelKillerAdapter.State::foreignRegistrations)
                .orElse(0));
    metrics.decimal(
        NodeMetric.KILLER_IN_CHARGE,
        "user_space",
        () -> node.launches().gate().get().map(decides -> userSpaceInCharge()).orElse(Double.NaN));
    launches(NodeMetric.MEMORY_SNAPSHOT, view -> view.launchableBytes());
    launches(NodeMetric.RUNNABLE, LaunchView::runnablePerCore);
    metrics.gauge(
        NodeMetric.QUEUED,
        () ->
            node.launches()
                .gate()
                .get()
                .map(decides -> decides.view().waiting().size())
                .orElseGet(() -> node.launches().waitingForYarn().get().size()));
    metrics.gauge(NodeMetric.RUNNING, () -> runningBestEffort());
    metrics.gauge(NodeMetric.UNTOUCHED, () -> node.containers().placed().untouched().size());
    metrics.gauge(
        NodeMetric.OUTSIDE_CGROUP, () -> node.containers().outside().get().places().size());
    metrics.decimal(NodeMetric.CLUSTER_WORD_AGE, "", this::clusterWordAgeSeconds);
    showObservation();
  }

  /** Returns the age of the last answer; NaN if no ResourceManager has answered yet. */
  private double clusterWordAgeSeconds() {
    return node.stop()
        .get()
        .cluster()
        .filter(heard -> heard.ageMillis() >= 0)
        .map(heard -> heard.ageMillis() / MILLIS_PER_SECOND)
        .orElse(Double.NaN);
  }

  private void showObservation() {
    observed(NodeMetric.OBSERVED_SECONDS, LaunchObserver.Totals::seconds);
    observed(NodeMetric.OBSERVED_OFFERED, totals -> totals.launchableBytes());
    observed(NodeMetric.OBSERVED_EARLIER, totals -> totals.startedEarlier());
    observed(NodeMetric.OBSERVED_EARLIER_SECONDS, LaunchObserver.Totals::earlierSeconds);
    observed(NodeMetric.OBSERVED_HELD_BACK, totals -> totals.heldBack());
    observed(NodeMetric.OBSERVED_KILLS, totals -> totals.killed());
  }

  private void launches(Metric metric, ToDoubleFunction<LaunchView> value) {
    metrics.decimal(
        metric,
        "",
        () ->
            node.launches()
                .measures()
                .get()
                .map(decides -> value.applyAsDouble(decides.view()))
                .orElse(Double.NaN));
  }

  private void observed(Metric metric, ToDoubleFunction<LaunchObserver.Totals> value) {
    metrics.decimal(
        metric,
        "",
        () -> node.launches().observation().get().map(value::applyAsDouble).orElse(Double.NaN));
  }

  private double userSpaceInCharge() {
    return !node.killers().kernelInCharge() && node.killers().userSpaceKills().getAsBoolean()
        ? 1
        : 0;
  }

  private long runningBestEffort() {
    return node.launches()
        .gate()
        .get()
        .map(decides -> decides.view().running().size())
        .orElseGet(
            () ->
                (int)
                    node.containers().ledger().entries().stream()
                        .filter(
                            entry -> entry.info().executionType() == ExecutionType.OPPORTUNISTIC)
                        .count());
  }

  private void show(Metric metric, Supplier<ReclaimedNumbers.Answer> numbers) {
    metrics.decimal(metric, "now", () -> numbers.get().get(ReclaimedResources::now));
    metrics.decimal(metric, "free", () -> numbers.get().get(ReclaimedResources::free));
    metrics.decimal(metric, "reclaimed", () -> numbers.get().get(ReclaimedResources::reclaimed));
  }

  private void show(String label, ExecutionType type) {
    metrics.gauge(
        NodeMetric.REQUESTED, label, () -> sum(type, entry -> entry.info().requestedBytes()));
    metrics.gauge(
        NodeMetric.WORKING_SET, label, () -> sum(type, ContainerLedger.Entry::workingSetBytes));
  }

  private long sum(ExecutionType type, ToLongFunction<ContainerLedger.Entry> bytes) {
    return node.containers().ledger().entries().stream()
        .filter(entry -> entry.info().executionType() == type)
        .mapToLong(bytes)
        .sum();
  }

  /** Returns 1 to 3; 0 while the kernel killer is not in charge. */
  private long tierInCharge() {
    return node.killers()
        .kernel()
        .get()
        .filter(KernelKillerAdapter.State::inCharge)
        .flatMap(KernelKillerAdapter.State::tier)
        .map(KernelTier::number)
        .orElse(0);
  }
}
