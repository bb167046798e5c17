/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.cpuset.Cores;
import io.charon.core.forecast.ReclaimedResources;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.report.audit.AuditRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Converts mechanisms and their readings to their form in the status document. */
final class RegulatorDocuments {
  private RegulatorDocuments() {}

  static RegulatorDocument regulator(MechanismRunner.State state) {
    boolean off = state.mode() == RegulatorMode.OFF;
    MechanismReport report = state.report();
    return new RegulatorDocument(
        state.name(),
        AuditRecord.lower(state.mode()),
        off ? null : state.unavailable().isEmpty(),
        off ? null : state.unavailable().orElse(null),
        new RegulatorDocument.Signal(
            report.signal(),
            off ? null : report.note().orElse(null),
            unit(report, MechanismReport.VALUE),
            state.outdated().orElse(null),
            orNull(state.value(MechanismReport.VALUE)),
            orNull(state.value(MechanismReport.MEAN)),
            orNull(state.value(MechanismReport.DEVIATION))),
        new RegulatorDocument.Limit(
            limitUnit(report),
            orNull(state.value(MechanismReport.CAPACITY)),
            orNull(state.value(MechanismReport.BEST_EFFORT)),
            orNull(state.value(MechanismReport.LIMIT)),
            state.detail().orElse(null)),
        report.cause().orElse(null),
        report.cause().isPresent() ? state.result() : null);
  }

  private static String unit(MechanismReport report, String name) {
    return report.quantity(name).map(MechanismReport.Quantity::unit).orElse(null);
  }

  /** Not every mechanism limits best-effort to an amount of its resource. */
  private static String limitUnit(MechanismReport report) {
    return Stream.of(MechanismReport.LIMIT, MechanismReport.CAPACITY, MechanismReport.BEST_EFFORT)
        .flatMap(name -> report.quantity(name).stream())
        .map(MechanismReport.Quantity::unit)
        .findFirst()
        .orElse(null);
  }

  static StatusDocument.Resources resources(NodeReading snapshot) {
    return new StatusDocument.Resources(
        snapshot.foreground(),
        List.of(
            use("memory", "bytes", snapshot.memory()),
            use("cpu", "cores", snapshot.cpu()),
            use("network", "bytes_per_second", snapshot.network())),
        orNull(snapshot.throttled()),
        cores(snapshot.cores()));
  }

  static StatusDocument.Reclaimed reclaimed(
      String resource, String unit, ReclaimedNumbers.Answer number) {
    return new StatusDocument.Reclaimed(
        resource,
        unit,
        number.known().map(ReclaimedResources::now).orElse(null),
        number.known().map(ReclaimedResources::free).orElse(null),
        number.known().map(ReclaimedResources::reclaimed).orElse(null),
        number.missing().orElse(null));
  }

  private static StatusDocument.Cores cores(CoreUse cores) {
    if (cores.usable().isEmpty()) {
      return null;
    }
    return new StatusDocument.Cores(
        cores.usable().toString(),
        cores.pinned().map(Cores::toString).orElse(null),
        cores.bestEffort().toString(),
        new TreeMap<>(cores.busy()),
        cores.missing().orElse(null));
  }

  private static StatusDocument.Use use(String name, String unit, ResourceUse use) {
    Optional<String> missing = use.foreground().missing().or(() -> use.bestEffort().missing());
    return new StatusDocument.Use(
        name,
        unit,
        orNull(use.foreground()),
        orNull(use.bestEffort()),
        orNull(use.capacity()),
        missing.orElse(null));
  }

  private static Double orNull(Measurement measurement) {
    return orNull(measurement.value());
  }

  private static Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
