/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.forecast.ReclaimedResources;
import io.charon.core.forecast.ReclaimedResources.Unit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Reserve;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryLimit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What best-effort may use of this node at this instant, and which part of it production has
 * reserved. What cannot be measured is absent with its reason: a zero would be taken for a full
 * node, and the last value for a free one.
 */
final class ReclaimedNumbers {
  /** Of the processors: the line up to which all together may use them (koordinator: 65 %). */
  static final double CPU_WATER_LINE = 0.65;

  private final StatusSource node;
  private final Supplier<Optional<NodeMemory>> memory;

  /**
   * Reads nothing yet.
   *
   * @param node what the numbers are put together from
   * @param memory of the node, as it was read last
   */
  ReclaimedNumbers(StatusSource node, Supplier<Optional<NodeMemory>> memory) {
    this.node = node;
    this.memory = memory;
  }

  /**
   * The numbers of one resource.
   *
   * @param known the numbers; empty if something is missing
   * @param missing what, and why; empty if nothing is
   */
  record Answer(Optional<ReclaimedResources> known, Optional<String> missing) {
    private static Answer of(ReclaimedResources known) {
      return new Answer(Optional.of(known), Optional.empty());
    }

    private static Answer missing(String reason) {
      return new Answer(Optional.empty(), Optional.of(reason));
    }

    /** One of the numbers, for a gauge: NaN while it is not known. */
    double get(ToDoubleFunction<ReclaimedResources> one) {
      return known.map(one::applyAsDouble).orElse(Double.NaN);
    }
  }

  /**
   * Memory that best-effort could use yet, bytes: below the limit around it, where that is on or
   * observed; else what nobody uses, less a reserve.
   */
  Answer bytes() {
    return node.regulators().get().stream()
        .filter(state -> state.name().equals(MemoryLimit.NAME))
        .filter(state -> state.mode() != RegulatorMode.OFF && state.unavailable().isEmpty())
        .findFirst()
        .map(this::belowLimit)
        .orElseGet(this::unused);
  }

  private Answer belowLimit(MechanismRunner.State limit) {
    OptionalDouble wall = limit.report().value(MechanismReport.LIMIT);
    OptionalDouble held = limit.report().value(MemoryLimit.UNRECLAIMABLE);
    OptionalDouble boundary = limit.report().value(MechanismReport.CAPACITY);
    if (wall.isEmpty() || held.isEmpty() || boundary.isEmpty()) {
      return Answer.missing("the memory limit has not decided yet");
    }
    return Answer.of(
        ReclaimedResources.of(
            Unit.BYTES,
            boundary.getAsDouble(),
            reserved(ContainerInfo::requestedBytes),
            wall.getAsDouble() - held.getAsDouble()));
  }

  private Answer unused() {
    Optional<NodeMemory> read = memory.get();
    if (read.isEmpty()) {
      return Answer.missing("the node's memory cannot be read");
    }
    long boundary = read.get().capacityBytes();
    return Answer.of(
        ReclaimedResources.of(
            Unit.BYTES,
            (double) boundary,
            reserved(ContainerInfo::requestedBytes),
            (double) (read.get().availableBytes() - Reserve.ofSlowLooks(boundary).bytes())));
  }

  /**
   * Processors that best-effort may use altogether, cores: below the water line beside all others.
   */
  Answer cores() {
    Optional<NodeReading> read = node.snapshot().get();
    if (read.isEmpty()) {
      return Answer.missing("nothing was read yet");
    }
    NodeReading seen = read.get();
    int capacity = seen.cores().busy().size();
    if (capacity == 0) {
      return Answer.missing(
          seen.cores().missing().orElse("how busy the cores are is known from the second tick on"));
    }
    if (seen.cpu().bestEffort().value().isEmpty()) {
      return Answer.missing(
          seen.cpu().bestEffort().missing().orElse("best-effort's CPU time is not known"));
    }
    double all = seen.cores().busy().values().stream().mapToDouble(Double::doubleValue).sum();
    double others = Math.max(0, all - seen.cpu().bestEffort().value().getAsDouble());
    return Answer.of(
        ReclaimedResources.of(
            Unit.CORES,
            capacity,
            reserved(ContainerInfo::requestedCores),
            ReclaimedResources.belowWaterLine(CPU_WATER_LINE, capacity, others, 0)));
  }

  private double reserved(ToDoubleFunction<ContainerInfo> request) {
    return node.ledger().entries().stream()
        .map(ContainerLedger.Entry::info)
        .filter(info -> info.executionType() == ExecutionType.GUARANTEED)
        .mapToDouble(request)
        .sum();
  }
}
