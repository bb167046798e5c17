/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.PoolUse;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.sensor.PoolSensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Gives production containers quotas and restores the values that it found. A quota that was not
 * given here belongs to another party: from then on it counts as the value found, and is the one
 * restored at the end. Not thread-safe.
 */
final class PoolQuotas implements Actuator {
  private final CgroupLayout layout;
  private final CgroupHierarchy cpu;
  private final FoundValues<PoolQuota> memory;

  /**
   * Creates the actuator without changing anything on the machine.
   *
   * @param layout where containers have their cgroups
   * @param cpu the hierarchy with the cpu controller
   * @param memory the values found before the first change
   */
  PoolQuotas(CgroupLayout layout, CgroupHierarchy cpu, FoundValues<PoolQuota> memory) {
    this.layout = layout;
    this.cpu = cpu;
    this.memory = memory;
  }

  /** The quota that a container has now, and the record of the quota that was given here. */
  private record State(Optional<Bandwidth> seen, Optional<PoolQuota> given) {
    /** Returns the container's own quota, which it has without this mechanism. */
    Optional<Bandwidth> found() {
      return given.map(PoolQuota::quota).orElse(seen);
    }
  }

  private State state(Path cgroup, Map<Path, PoolQuota> kept) throws IOException {
    Optional<Bandwidth> seen = new CpuBandwidth(cgroup, cpu.version()).read();
    return new State(
        seen,
        Optional.ofNullable(kept.get(cgroup))
            .filter(known -> seen.filter(known::gave).isPresent()));
  }

  private Path cgroup(String id) {
    return layout.containerDirectory(cpu, ContainerClass.PRODUCTION, id);
  }

  /**
   * Returns the pool in the form that its law needs.
   *
   * @param seen use of the processors
   * @param vcores virtual cores of each container, by id; a value below 1 counts as 1
   * @throws IOException naming the file that cannot be read
   */
  PoolUse read(PoolSensor.Seen seen, Map<String, Integer> vcores) throws IOException {
    Map<Path, PoolQuota> kept = memory.all();
    List<PoolUse.Member> members = new ArrayList<>();
    for (Map.Entry<String, PoolSensor.Container> entry : seen.containers().entrySet()) {
      String id = entry.getKey();
      State state = state(cgroup(id), kept);
      members.add(
          new PoolUse.Member(
              id,
              entry.getValue().exclusive(),
              state.found().map(Bandwidth::cores).orElse(Math.max(1.0, vcores.getOrDefault(id, 1))),
              state
                  .seen()
                  .map(has -> OptionalDouble.of(has.cores()))
                  .orElse(OptionalDouble.empty()),
              state.given().isPresent(),
              entry.getValue().usedSeconds(),
              entry.getValue().throttledPeriods()));
    }
    return new PoolUse(seen.cores(), seen.threadsPerCore(), members);
  }

  @Override
  public Optional<String> unavailable() {
    return Optional.empty();
  }

  @Override
  public String apply(Action.SetQuota wanted) throws IOException {
    memory.forgetEnded(cgroup -> true);
    Path cgroup = cgroup(wanted.target());
    if (!Files.isDirectory(cgroup)) {
      return "nothing: the container has ended";
    }
    State state = state(cgroup, memory.all());
    if (wanted.cores().isEmpty()) {
      if (state.given().isPresent()) {
        putBack(cgroup, state.given().get());
      }
      memory.forget(Set.of(cgroup));
      return "original quota restored";
    }
    CpuBandwidth bandwidth = new CpuBandwidth(cgroup, cpu.version());
    Bandwidth after = bandwidth.of(wanted.cores().getAsDouble());
    memory.keep(
        cgroup,
        state
            .given()
            .map(
                known ->
                    new PoolQuota(
                        known.quota(),
                        known.periodMicros(),
                        known.burstMicros(),
                        state.seen(),
                        after))
            .orElseGet(
                () ->
                    new PoolQuota(
                        state.seen(),
                        after.periodMicros(),
                        state.seen().map(Bandwidth::burstMicros).orElse(after.burstMicros()),
                        state.seen(),
                        after)));
    return state.seen().isPresent()
        ? bandwidth.change(state.seen().get(), after)
        : bandwidth.limit(wanted.cores().getAsDouble());
  }

  private void putBack(Path cgroup, PoolQuota kept) throws IOException {
    CpuBandwidth bandwidth = new CpuBandwidth(cgroup, cpu.version());
    Optional<Bandwidth> seen = bandwidth.read();
    if (seen.isPresent() && kept.gave(seen.get())) {
      if (kept.quota().isPresent()) {
        String unused = bandwidth.change(seen.get(), kept.quota().get());
      } else {
        bandwidth.unlimit(kept.periodMicros(), kept.burstMicros());
      }
    }
  }

  @Override
  public void undo() throws IOException {
    memory.putBack(
        Set.of(layout.classDirectory(cpu, ContainerClass.PRODUCTION)),
        this::putBack,
        kept ->
            kept.quota()
                .map(had -> String.format(Locale.ROOT, "a quota of %.2f cores", had.cores()))
                .orElse("no quota"));
  }
}
