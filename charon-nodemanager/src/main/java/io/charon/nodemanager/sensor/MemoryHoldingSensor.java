/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.memorylimit.ColdStart;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.SlowLook;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.PageCachePolicy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Reads who holds a node's memory: each production container, each service outside YARN that has a
 * right, best-effort, and by difference the rest. At most {@link RoundRobinReader#MAX_READINGS} of each kind
 * are read at a time; with more, a reading is a few seconds old. For one thread.
 */
public final class MemoryHoldingSensor implements Closeable {
  private static final int PERCENT = 100;

  private final MemoryPlaces places;
  private final CgroupLayout layout;
  private final NodeBoundary boundary;
  private final Supplier<Map<String, Long>> reservations;
  private final MemoryLimitSettings settings;
  private final HolderUses containers;
  private final HolderUses services;
  private final Map<String, Long> firstSeen = new HashMap<>();
  private boolean looked;

  /**
   * A sensor that has read nothing yet.
   *
   * @param places where the containers' is counted
   * @param boundary what bounds the node; closed with this
   * @param reservations of the production containers that run, bytes by container id
   * @param settings who has a right to what
   */
  public MemoryHoldingSensor(
      MemoryPlaces places,
      NodeBoundary boundary,
      Supplier<Map<String, Long>> reservations,
      MemoryLimitSettings settings) {
    this.places = places;
    this.layout = places.layout();
    this.boundary = boundary;
    this.reservations = reservations;
    this.settings = settings;
    this.containers = new HolderUses(layout.version());
    this.services = new HolderUses(layout.version());
  }

  /**
   * Looks.
   *
   * @param nanos now, monotonic
   * @throws IOException naming the file, if the node's use or best-effort's cannot be read
   */
  public MemoryHolding read(long nanos) throws IOException {
    // Best-effort first: what it takes meanwhile counts as others', never the other way round.
    CgroupUse held = places.bestEffort();
    NodeBoundary.Use node = boundary.read();
    Map<String, Long> reserved = reservations.get();
    Map<String, CgroupUse> production = production(reserved, nanos);
    List<Holder> holders = new ArrayList<>();
    production.forEach(
        (id, use) ->
            holders.add(
                new Holder(
                    id,
                    use.bytes(),
                    use.cleanBytes(),
                    settings.pageCache() == PageCachePolicy.NONE ? 0 : reserved.get(id))));
    long mapped =
        held.mappedBytes() + production.values().stream().mapToLong(CgroupUse::mappedBytes).sum();
    mapped += addServices(holders, nanos);
    long othersSwap = Math.max(0, node.swapBytes() - held.swapBytes());
    long others = Math.max(0, node.node().usedBytes() - held.chargedBytes()) + othersSwap;
    SlowLook look =
        new SlowLook(
            node.node().boundaryBytes(),
            others,
            Math.min(others, Math.max(0, node.cleanBytes() - held.cleanBytes())),
            holders,
            node.node().boundaryBytes() / PERCENT * settings.systemPercent(),
            Math.max(0, node.mappedBytes() - mapped));
    long claim = claimBytes(production, reserved, nanos);
    looked = true;
    return new MemoryHolding(
        look, node.node().usedBytes(), othersSwap, claim, held, places.bestEffortRuns());
  }

  /** Those whose reservation is known; the right of any other container is unknown. */
  private Map<String, CgroupUse> production(Map<String, Long> reserved, long nanos)
      throws IOException {
    Map<Path, String> cgroups = new TreeMap<>();
    reserved
        .keySet()
        .forEach(id -> places.production(id).ifPresent(cgroup -> cgroups.put(cgroup, id)));
    Map<String, CgroupUse> uses = new TreeMap<>();
    containers
        .next(cgroups.keySet(), nanos)
        .forEach((cgroup, use) -> uses.put(cgroups.get(cgroup), use));
    return uses;
  }

  /** Returns what they have mapped of files. */
  private long addServices(List<Holder> holders, long nanos) throws IOException {
    Map<Path, Long> rights = new TreeMap<>();
    for (MemoryLimitSettings.Service service : settings.services()) {
      new CgroupPatterns(layout.memory().mountPoint(), List.of(service.pattern()))
          .find().stream()
              .filter(this::isService)
              .forEach(cgroup -> rights.putIfAbsent(cgroup, service.rightBytes()));
    }
    Map<Path, CgroupUse> uses = services.next(rights.keySet(), nanos);
    uses.forEach(
        (cgroup, use) ->
            holders.add(
                new Holder(
                    "/" + layout.memory().mountPoint().relativize(cgroup),
                    use.bytes(),
                    use.cleanBytes(),
                    rights.get(cgroup))));
    return uses.values().stream().mapToLong(CgroupUse::mappedBytes).sum();
  }

  /** Within the boundary, and neither above nor below the containers. */
  private boolean isService(Path cgroup) {
    Path node = layout.nodeDirectory(layout.memory());
    return boundary.cgroup().map(cgroup::startsWith).orElse(true)
        && !node.startsWith(cgroup)
        && !places.isContainers(cgroup);
  }

  /** Whoever was there at the first look did not start now. */
  private long claimBytes(
      Map<String, CgroupUse> production, Map<String, Long> reserved, long nanos) {
    firstSeen.keySet().retainAll(reserved.keySet());
    List<ColdStart> starts = new ArrayList<>();
    production.forEach(
        (id, use) -> {
          if (looked && !firstSeen.containsKey(id)) {
            firstSeen.put(id, nanos);
          } else {
            firstSeen.putIfAbsent(id, Long.MIN_VALUE);
          }
          if (firstSeen.get(id) != Long.MIN_VALUE) {
            starts.add(new ColdStart(firstSeen.get(id), reserved.get(id), use.bytes()));
          }
        });
    return ColdStart.claimBytes(starts, nanos);
  }

  @Override
  public void close() throws IOException {
    boundary.close();
  }
}
