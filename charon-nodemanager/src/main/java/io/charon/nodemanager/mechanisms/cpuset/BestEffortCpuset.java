/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuset;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.CoresObservation;
import io.charon.core.law.CoresRegulator;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Assembles the mechanism that confines best-effort to cores that the foreground does not use. */
public final class BestEffortCpuset {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "cores";

  private BestEffortCpuset() {}

  /**
   * Assembles the mechanism, and unless it is off makes the reader report pinned containers and the
   * topology.
   *
   * @param wanted the operator's settings
   * @param split the cores that the operator gave best-effort; empty for all
   * @param reader reads which cores the foreground is pinned to, and what cores share
   * @param sysRoot where sysfs is mounted
   */
  public static RegulatedLimit of(
      RegulatorSettings.Cores wanted,
      Optional<CpuSplit> split,
      NodeSnapshotReader reader,
      Path sysRoot) {
    if (wanted.mode() != RegulatorMode.OFF) {
      reader.enablePinned();
      reader.enableTopology(sysRoot);
    }
    return of(
        wanted.rule(),
        split.map(cpus -> Cores.parse(cpus.bestEffortCpus())),
        new Availability(reader.pinnedUnavailable()));
  }

  /**
   * Assembles the mechanism from its parts.
   *
   * @param settings how cores follow the foreground
   * @param split the cores that the operator gave best-effort; empty for all
   * @param sensor whether this machine can tell which cores the foreground is pinned to
   */
  public static RegulatedLimit of(
      CoresSettings settings, Optional<Cores> split, Availability sensor) {
    CoresRegulator law = new CoresRegulator(settings);
    return new RegulatedLimit(
        subject(settings.followLoad(), split),
        (seen, observation) ->
            law.decide(
                new CoresObservation(
                    observation,
                    seen.cores().usableOf(split),
                    seen.cores().pinned(),
                    seen.cores().busy(),
                    seen.cores().topology())),
        CheckedAvailability.fixed(sensor));
  }

  private static RegulatedLimit.Subject subject(boolean followLoad, Optional<Cores> split) {
    Function<NodeReading, ResourceUse> use =
        seen ->
            new ResourceUse(
                seen.cores().foregroundOnUnpinnedCores(seen.cpu().foreground()),
                seen.cpu().bestEffort(),
                Measurement.of(seen.cores().usableOf(split).count()));
    return new RegulatedLimit.Subject(
        NAME,
        Limit.CPUS,
        "cores",
        followLoad ? "load" : "pinned cores",
        "cores",
        use,
        followLoad ? seen -> use.apply(seen).foreground() : seen -> seen.cores().pinnedCount(),
        Optional.empty());
  }

  /** Returns an actuator that sets the cpuset of best-effort's common parent cgroup. */
  public static Actuator actuator(CpusetWriter cpusets) {
    return Actuator.of(
        cpusets::unavailable,
        wanted -> cpusets.confineBestEffort(chosen(wanted)),
        cpusets::releaseBestEffort);
  }

  private static Cores chosen(Action.SetLimit wanted) throws IOException {
    return wanted
        .cores()
        .filter(cores -> !cores.isEmpty())
        .orElseThrow(() -> new IOException("no cores are known; nothing is changed"));
  }
}
