/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.CounterRate;
import io.charon.core.mechanism.CoreUse;
import io.charon.nodemanager.cgroup.CgroupChildren;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Reads the available cores, how busy each of them is, and to which of them foreground is pinned.
 * Foreground is pinned to the cores of a foreground cgroup, or of a child of one, that may not use
 * all cores.
 */
final class CoreSensor implements Closeable {
  private final NodeSides sides;
  private final Optional<CgroupHierarchy> cpuset;
  private final ProcStat machine;
  private final Map<Integer, CounterRate> rates = new LinkedHashMap<>();
  private final RoundRobinReader<Optional<Cores>> allowed;

  /**
   * Creates a sensor without any reading.
   *
   * @param machine must be read afresh before each {@link #read}
   */
  CoreSensor(NodeSides sides, ProcStat machine) {
    this.sides = sides;
    this.machine = machine;
    this.cpuset = sides.hierarchy(CgroupController.CPUSET);
    this.allowed =
        new RoundRobinReader<>(
            cgroup -> new CpuList(allowedFile(cgroup)), "the cores of the foreground are unknown");
  }

  /**
   * Reads the cores.
   *
   * @param withPinned whether to determine the pinned cores as well, which costs one read per
   *     cgroup of the foreground, in turns
   */
  CoreUse read(long nanos, boolean withPinned) {
    try {
      Cores online = machine.cores();
      Map<Integer, Double> busy = busy(nanos, online);
      if (cpuset.isEmpty()) {
        String reason = "the cpuset controller is not mounted";
        return new CoreUse(online, online, Optional.empty(), busy, Optional.of(reason));
      }
      // Inside a container, the root of the hierarchy may itself be confined.
      Cores all = allowed(cpuset.get().mountPoint()).map(online::within).orElse(online);
      Path bestEffort = sides.bestEffort(cpuset.get());
      Cores usable = allowed(bestEffort.getParent()).map(all::within).orElse(all);
      Cores now = allowed(bestEffort).orElse(usable);
      if (!withPinned) {
        return new CoreUse(usable, now, Optional.empty(), busy, Optional.empty());
      }
      try {
        Cores pinned = pinned(all, usable, bestEffort.getParent());
        return new CoreUse(usable, now, Optional.of(pinned), busy, Optional.empty());
      } catch (IOException e) {
        return new CoreUse(usable, now, Optional.empty(), busy, Optional.of(e.getMessage()));
      }
    } catch (IOException e) {
      return CoreUse.missing(e.getMessage());
    }
  }

  private Map<Integer, Double> busy(long nanos, Cores online) throws IOException {
    rates.keySet().retainAll(online.numbers());
    Map<Integer, Double> busy = new LinkedHashMap<>();
    machine
        .busySecondsOfCores()
        .forEach(
            (number, seconds) -> {
              OptionalDouble rate =
                  rates.computeIfAbsent(number, key -> new CounterRate()).read(nanos, seconds);
              // Ticks of 10 ms are coarse, so the rate may exceed a full core.
              rate.ifPresent(value -> busy.put(number, Math.min(1, value)));
            });
    return busy;
  }

  /**
   * Returns the cores to which foreground is pinned; a confinement of the node's whole tree is not
   * a pin.
   */
  private Cores pinned(Cores all, Cores usable, Path node) throws IOException {
    Set<Path> cgroups = new LinkedHashSet<>();
    for (Path cgroup : sides.foreground(cpuset.orElseThrow())) {
      cgroups.add(cgroup);
      cgroups.addAll(CgroupChildren.of(cgroup));
    }
    Map<Path, Optional<Cores>> read = allowed.next(cgroups);
    Optional<IOException> unreadable = allowed.unreadable().values().stream().findFirst();
    if (unreadable.isPresent()) {
      throw unreadable.get(); // best-effort might get the cores to which this cgroup is pinned
    }
    Cores pinned = Cores.none();
    for (Map.Entry<Path, Optional<Cores>> cgroup : read.entrySet()) {
      Cores anywhere = cgroup.getKey().startsWith(node) ? usable : all;
      Cores here = cgroup.getValue().orElse(anywhere).within(anywhere);
      pinned = here.equals(anywhere) ? pinned : pinned.with(here);
    }
    return pinned;
  }

  private Optional<Cores> allowed(Path cgroup) throws IOException {
    return CpuList.read(allowedFile(cgroup));
  }

  private Path allowedFile(Path cgroup) {
    return CgroupFile.CPUSET_EFFECTIVE_CPUS.path(cgroup, cpuset.orElseThrow().version());
  }

  @Override
  public void close() {
    allowed.close();
  }
}
