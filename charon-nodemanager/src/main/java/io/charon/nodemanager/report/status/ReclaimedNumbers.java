/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.forecast.ReclaimedResources;
import io.charon.core.forecast.ReclaimedResources.Unit;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.CpuWaterLine;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.WaterLine;
import io.charon.core.law.memorylimit.Reserve;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.cpuset.BestEffortCpuset;
import io.charon.nodemanager.mechanisms.memorylimit.LimitOutcome;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryLimit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The resources of this node that best-effort may use now, and the part of them that production has
 * reserved. A value that cannot be measured is absent with a reason, because a zero would suggest a
 * full node, and the previous value a free one.
 */
final class ReclaimedNumbers {
  /**
   * Where no other water line is set: the percentage of the processors that production and
   * best-effort may use together (koordinator's).
   */
  private static final int USUAL_LINE_PERCENT = 65;

  private final StatusSource node;
  private final Supplier<Optional<NodeMemory>> memory;

  /**
   * Creates the numbers without reading anything.
   *
   * @param node the source of the values
   * @param memory the last reading of the node's memory
   */
  ReclaimedNumbers(StatusSource node, Supplier<Optional<NodeMemory>> memory) {
    this.node = node;
    this.memory = memory;
  }

  /**
   * The numbers of one resource.
   *
   * @param known the numbers; empty if a value is missing
   * @param missing the missing value and the reason; empty if none is missing
   */
  record Answer(Optional<ReclaimedResources> known, Optional<String> missing) {
    private static Answer of(ReclaimedResources known) {
      return new Answer(Optional.of(known), Optional.empty());
    }

    private static Answer missing(String reason) {
      return new Answer(Optional.empty(), Optional.of(reason));
    }

    /** Returns one of the numbers for a gauge; NaN while it is unknown. */
    double get(ToDoubleFunction<ReclaimedResources> one) {
      return known.map(one::applyAsDouble).orElse(Double.NaN);
    }
  }

  /**
   * Returns the memory in bytes that best-effort could use in addition: the distance to its memory
   * limit if that is on or observed, otherwise the available memory minus a reserve. What it holds
   * is part of the split, so that it does not count as taken from the reservations.
   */
  Answer bytes() {
    return working(MemoryLimit.NAME).map(this::belowLimit).orElseGet(this::unused);
  }

  /** Returns the state of a mechanism that is on or observed, and can work here. */
  private Optional<MechanismRunner.State> working(String name) {
    return node.mechanisms().states().get().stream()
        .filter(state -> state.name().equals(name))
        .filter(state -> state.mode() != RegulatorMode.OFF && state.unavailable().isEmpty())
        .findFirst();
  }

  private Answer belowLimit(MechanismRunner.State limit) {
    if (limit.outdated().isPresent()) {
      return Answer.missing("the memory limit: " + limit.outdated().get());
    }
    OptionalDouble bestEffortLimit = limit.report().value(MechanismReport.LIMIT);
    OptionalDouble held = limit.report().value(LimitOutcome.UNRECLAIMABLE);
    OptionalDouble boundary = limit.report().value(MechanismReport.CAPACITY);
    if (bestEffortLimit.isEmpty() || held.isEmpty() || boundary.isEmpty()) {
      return Answer.missing("the memory limit has not been computed yet");
    }
    return Answer.of(
        ReclaimedResources.of(
                Unit.BYTES,
                boundary.getAsDouble(),
                reserved(ContainerInfo::requestedBytes),
                bestEffortLimit.getAsDouble())
            .inAdditionTo(held.getAsDouble()));
  }

  private Answer unused() {
    Optional<NodeMemory> read = memory.get();
    if (read.isEmpty()) {
      return Answer.missing("the node's memory cannot be read");
    }
    long boundary = read.get().capacityBytes();
    long held = node.containers().ledger().bestEffortBytes();
    long reserve = Reserve.forSlowSamples(boundary).bytes();
    return Answer.of(
        ReclaimedResources.of(
                Unit.BYTES,
                (double) boundary,
                reserved(ContainerInfo::requestedBytes),
                (double) (read.get().availableBytes() + held - reserve))
            .inAdditionTo((double) held));
  }

  /**
   * Returns the cores that best-effort may use in total: what the mechanisms that keep it below the
   * water line give it if one of them is on or observed, otherwise the part below the line that all
   * others leave.
   */
  Answer cores() {
    Optional<NodeReading> read = node.mechanisms().lastReading().get();
    if (read.isEmpty()) {
      return Answer.missing("no reading yet");
    }
    NodeReading seen = read.get();
    int capacity = seen.cores().busy().size();
    if (capacity == 0) {
      return Answer.missing(
          seen.cores().missing().orElse("the load of the cores is known after the second tick"));
    }
    List<MechanismRunner.State> limits = followingTheLine();
    return limits.isEmpty() ? unused(seen, capacity) : belowLimits(limits, capacity);
  }

  /** Returns the mechanisms that keep best-effort below the line that the operator has set. */
  private List<MechanismRunner.State> followingTheLine() {
    CoresSettings cores = node.settings().get().regulators().cores().rule();
    if (cores.waterLine().isEmpty()) {
      return List.of();
    }
    return Stream.concat(
            working(CpuWaterLine.NAME).stream(),
            cores.followLoad() ? working(BestEffortCpuset.NAME).stream() : Stream.empty())
        .toList();
  }

  private Answer belowLimits(List<MechanismRunner.State> limits, int capacity) {
    double smallest = capacity;
    for (MechanismRunner.State limit : limits) {
      OptionalDouble known = limit.report().value(MechanismReport.LIMIT);
      if (limit.outdated().isPresent() || known.isEmpty()) {
        return Answer.missing(
            limit.name() + ": " + limit.outdated().orElse("its limit has not been computed yet"));
      }
      smallest = Math.min(smallest, known.getAsDouble());
    }
    return answer(capacity, smallest);
  }

  private Answer unused(NodeReading seen, int capacity) {
    if (seen.cpu().bestEffort().value().isEmpty()) {
      return Answer.missing(
          seen.cpu().bestEffort().missing().orElse("best-effort's CPU time is not known"));
    }
    double all = seen.cores().busy().values().stream().mapToDouble(Double::doubleValue).sum();
    double others = Math.max(0, all - seen.cpu().bestEffort().value().getAsDouble());
    WaterLine line =
        node.settings()
            .get()
            .regulators()
            .waterLine()
            .orElseGet(() -> new WaterLine(USUAL_LINE_PERCENT));
    return answer(capacity, ReclaimedResources.belowWaterLine(line.line(1), capacity, others, 0));
  }

  private Answer answer(int capacity, double now) {
    return Answer.of(
        ReclaimedResources.of(Unit.CORES, capacity, reserved(ContainerInfo::requestedCores), now));
  }

  private double reserved(ToDoubleFunction<ContainerInfo> request) {
    return node.containers().ledger().entries().stream()
        .map(ContainerLedger.Entry::info)
        .filter(info -> info.executionType() == ExecutionType.GUARANTEED)
        .mapToDouble(request)
        .sum();
  }
}
