/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import io.charon.core.mechanism.ContainerBandwidths.Container;
import io.charon.nodemanager.cgroup.BandwidthFiles;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.OpenCgroups;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the CPU quotas of production containers, changes their quota, period and burst at an equal
 * share, and restores the values that it found ({@link BeforeBucket}). Not thread-safe.
 */
final class ProductionQuotas implements Actuator, Closeable {
  private final List<Path> parents;
  private final Path probe;
  private final CgroupVersion version;
  private final Supplier<Set<String>> production;
  private final FoundValues<Bandwidth> memory;
  private final OpenCgroups<BandwidthFiles> files;
  private Optional<Burst> kernel = Optional.empty();

  /**
   * Creates the actuator without changing anything on the machine.
   *
   * @param parents the cgroups below which containers have cgroups named by their ids; the first
   *     one in which a container has a quota is used
   * @param probe where an empty cgroup may be created briefly
   * @param version the cgroup version of these directories
   * @param production ids of the running production containers
   * @param memory the values found before the first change
   */
  ProductionQuotas(
      List<Path> parents,
      Path probe,
      CgroupVersion version,
      Supplier<Set<String>> production,
      FoundValues<Bandwidth> memory) {
    this.parents = List.copyOf(parents);
    this.probe = probe;
    this.version = version;
    this.production = production;
    this.memory = memory;
    this.files = new OpenCgroups<>(cgroup -> new BandwidthFiles(cgroup, version));
  }

  /** A cgroup with a quota. */
  private record Place(Path cgroup, Bandwidth seen) {}

  /**
   * Reads the quotas of running production containers and of containers changed earlier.
   *
   * @throws IOException naming the file that cannot be read
   */
  ContainerBandwidths read() throws IOException {
    Set<String> ids = production.get();
    memory.forgetEnded(cgroup -> !ids.contains(cgroup.getFileName().toString()));
    Map<Path, Bandwidth> found = memory.all();
    Set<String> all = new LinkedHashSet<>(ids);
    found.keySet().forEach(cgroup -> all.add(cgroup.getFileName().toString()));
    List<Path> existing = parents.stream().filter(Files::isDirectory).toList();
    List<Container> containers = new ArrayList<>();
    Set<Path> open = new HashSet<>();
    for (String id : all) {
      boolean runs = ids.contains(id);
      List<Path> cgroups = cgroups(id, existing);
      Optional<Place> place = runs ? place(cgroups, this::again) : place(cgroups, this::once);
      if (place.isPresent()) {
        containers.add(container(id, runs, place.get(), found));
      }
      open.addAll(runs ? cgroups : List.of());
    }
    files.retain(open);
    // Without a container that has a quota, the kernel's support does not matter and is not probed.
    return new ContainerBandwidths(
        containers.isEmpty() ? Burst.UP_TO_QUOTA : kernel(), containers, ids.size());
  }

  private Burst kernel() {
    if (kernel.isEmpty()) {
      kernel = Optional.of(CpuBandwidth.probe(probe, version));
    }
    return kernel.get();
  }

  private static Container container(
      String id, boolean isProduction, Place place, Map<Path, Bandwidth> found) {
    Bandwidth seen = place.seen();
    BeforeBucket before = new BeforeBucket(found.getOrDefault(place.cgroup(), seen));
    return new Container(
        id, isProduction, seen, isProduction ? before.quota(seen) : before.original(seen));
  }

  private static List<Path> cgroups(String id, List<Path> where) {
    return CgroupLayout.isContainerId(id)
        ? where.stream().map(parent -> parent.resolve(id)).toList()
        : List.of();
  }

  /** Reads the quota of one cgroup. */
  @FunctionalInterface
  private interface Reading {
    Optional<Bandwidth> of(Path cgroup) throws IOException;
  }

  private Optional<Bandwidth> once(Path cgroup) throws IOException {
    return new CpuBandwidth(cgroup, version).read();
  }

  private Optional<Bandwidth> again(Path cgroup) throws IOException {
    return files.read(cgroup, BandwidthFiles::read);
  }

  private static Optional<Place> place(List<Path> cgroups, Reading reading) throws IOException {
    for (Path cgroup : cgroups) {
      Optional<Bandwidth> seen = reading.of(cgroup);
      if (seen.isPresent()) {
        return Optional.of(new Place(cgroup, seen.get()));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> unavailable() {
    return Optional.empty();
  }

  @Override
  public String apply(Action.SetBandwidth wanted) throws IOException {
    Optional<Place> now = place(cgroups(wanted.target(), parents), this::once);
    if (now.isEmpty()) {
      return "nothing: the container has ended, or no longer has a quota";
    }
    Path cgroup = now.get().cgroup();
    Bandwidth seen = now.get().seen();
    BeforeBucket before = new BeforeBucket(memory.all().getOrDefault(cgroup, seen));
    if (!wanted.bandwidth().hasShareOf(before.quota(seen))) {
      return "nothing: its quota has changed in the meantime";
    }
    memory.keep(cgroup, before.kept(seen));
    String written = new CpuBandwidth(cgroup, version).change(seen, wanted.bandwidth());
    if (wanted.bandwidth().equals(before.original(seen))) {
      memory.forget(Set.of(cgroup));
    }
    return written;
  }

  @Override
  public void undo() throws IOException {
    memory.putBack(
        parents,
        this::undo,
        had ->
            String.format(
                Locale.ROOT,
                "a quota of %d, a period of %d and a burst of %d us",
                had.quotaMicros(),
                had.periodMicros(),
                had.burstMicros()));
  }

  private void undo(Path cgroup, Bandwidth kept) throws IOException {
    CpuBandwidth bandwidth = new CpuBandwidth(cgroup, version);
    Optional<Bandwidth> seen = bandwidth.read();
    if (seen.isPresent()) {
      String unused = bandwidth.change(seen.get(), new BeforeBucket(kept).original(seen.get()));
    } else if (Files.exists(bandwidth.file())) {
      // Without a quota they have no effect, but a later quota would count in the bucket's period.
      long period = bandwidth.of(0).periodMicros();
      bandwidth.unlimit(Math.min(period, kept.periodMicros()), kept.burstMicros());
    }
  }

  @Override
  public void close() {
    files.close();
  }
}
