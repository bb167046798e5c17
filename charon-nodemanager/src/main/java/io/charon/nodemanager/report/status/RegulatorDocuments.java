/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.CoreChoice;
import io.charon.core.law.Decision;
import io.charon.core.law.NormalRange;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.execution.NodeRegulator;
import io.charon.nodemanager.report.audit.AuditRecord;
import io.charon.nodemanager.sensor.CoreUse;
import io.charon.nodemanager.sensor.Measurement;
import io.charon.nodemanager.sensor.NodeSnapshot;
import io.charon.nodemanager.sensor.ResourceUse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Regulators and what they see, as the status document shows them. */
final class RegulatorDocuments {
  private RegulatorDocuments() {}

  static StatusDocument.Regulator regulator(NodeRegulator.State state) {
    Optional<Decision> decision = state.decision();
    Optional<NormalRange> range = decision.flatMap(Decision::range);
    return new StatusDocument.Regulator(
        state.resource().name(),
        AuditRecord.lower(state.mode()),
        state.mode() == RegulatorMode.OFF ? null : state.unavailable().isEmpty(),
        state.mode() == RegulatorMode.OFF ? null : state.unavailable().orElse(null),
        state.resource().signalName(),
        state.mode() == RegulatorMode.OFF ? null : state.resource().signalNote().orElse(null),
        state.resource().signalUnit(),
        decision.map(last -> orNull(last.observation().value())).orElse(null),
        range
            .map(NormalRange::mean)
            .or(() -> decision.flatMap(Decision::cores).flatMap(RegulatorDocuments::meanLoad))
            .orElse(null),
        range.map(NormalRange::standardDeviation).orElse(null),
        state.resource().limitUnit(),
        decision.map(last -> last.observation().capacity()).orElse(null),
        decision.isPresent() ? orNull(state.bestEffort()) : null,
        decision.map(Decision::limit).orElse(null),
        decision.flatMap(Decision::cores).map(choice -> choice.chosen().toString()).orElse(null),
        decision.map(last -> last.cause().text()).orElse(null),
        decision.isPresent() ? state.result() : null);
  }

  private static Optional<Double> meanLoad(CoreChoice choice) {
    return Optional.ofNullable(orNull(choice.meanLoad()));
  }

  static StatusDocument.Resources resources(NodeSnapshot snapshot) {
    return new StatusDocument.Resources(
        snapshot.foreground(),
        List.of(
            use("memory", "bytes", snapshot.memory()),
            use("cpu", "cores", snapshot.cpu()),
            use("network", "bytes_per_second", snapshot.network())),
        orNull(snapshot.throttled()),
        cores(snapshot.cores()));
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
