/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.memorylimit.ColdStart;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.SlowSample;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.MemoryLimitKeys;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.MemoryLimitSettings.PageCachePolicy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how the node's memory is divided: each production container, each entitled service outside
 * YARN, best-effort, and by subtraction the rest. At most {@link RoundRobinReader#MAX_READINGS} of
 * each kind are read per call; with more, a reading may be a few seconds old. Not thread-safe.
 */
public final class MemoryHoldingSensor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryHoldingSensor.class);

  private static final int PERCENT = 100;

  private final MemoryPlaces places;
  private final CgroupLayout layout;
  private final NodeBoundary boundary;
  private final Supplier<Map<String, Long>> reservations;
  private final MemoryLimitSettings settings;
  private final HolderUses containers;
  private final HolderUses services;
  private final Map<String, Long> firstSeen = new HashMap<>();
  private final Set<Path> namedNested = new HashSet<>();
  private boolean hasRead;

  /**
   * Creates a sensor without any reading.
   *
   * @param places where the containers' memory is counted
   * @param boundary the boundary of the node; closed with this
   * @param reservations requests of the running production containers, bytes by container id
   * @param settings the entitlements
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
   * Reads the current holding.
   *
   * @param nanos current monotonic time
   * @throws IOException naming the file, if the use of the node or of best-effort cannot be read
   */
  public MemoryHolding read(long nanos) throws IOException {
    // Best-effort is read first: memory that it takes meanwhile counts as others', never vice
    // versa.
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
                    use.swapBytes(),
                    use.cleanBytes(),
                    settings.pageCache() == PageCachePolicy.NONE ? 0 : reserved.get(id))));
    long mapped =
        held.mappedBytes() + production.values().stream().mapToLong(CgroupUse::mappedBytes).sum();
    mapped += addServices(holders, nanos);
    long othersSwap = Math.max(0, node.swapBytes() - held.swapBytes());
    long others = Math.max(0, node.node().usedBytes() - held.chargedBytes()) + othersSwap;
    SlowSample sample =
        new SlowSample(
            node.node().boundaryBytes(),
            others,
            Math.min(others, Math.max(0, node.cleanBytes() - held.cleanBytes())),
            holders,
            node.node().boundaryBytes() / PERCENT * settings.systemPercent(),
            Math.max(0, node.mappedBytes() - mapped));
    long claim = claimBytes(production, reserved, nanos);
    hasRead = true;
    return new MemoryHolding(
        sample, node.node().usedBytes(), othersSwap, claim, held, places.bestEffortRuns());
  }

  /**
   * Reads the production containers whose reservation is known; other containers have no known
   * entitlement.
   */
  private Map<String, CgroupUse> production(Map<String, Long> reserved, long nanos) {
    Map<Path, String> cgroups = new LinkedHashMap<>();
    reserved.keySet().stream()
        .sorted()
        .forEach(id -> places.production(id).ifPresent(cgroup -> cgroups.put(cgroup, id)));
    Map<String, CgroupUse> uses = new TreeMap<>();
    containers
        .next(cgroups.keySet(), nanos)
        .forEach((cgroup, use) -> uses.put(cgroups.get(cgroup), use));
    return uses;
  }

  /** Adds the services and returns the file pages that they have mapped, bytes. */
  private long addServices(List<Holder> holders, long nanos) {
    EntitledServices found =
        EntitledServices.find(layout.memory().mountPoint(), settings.services(), this::isService);
    found.nested().forEach(this::nameNested);
    Map<Path, Long> rights = found.entitledBytes();
    Map<Path, CgroupUse> uses = new TreeMap<>(services.next(rights.keySet(), nanos));
    uses.forEach(
        (cgroup, use) ->
            holders.add(
                new Holder(
                    "/" + layout.memory().mountPoint().relativize(cgroup),
                    use.bytes(),
                    use.swapBytes(),
                    use.cleanBytes(),
                    rights.get(cgroup))));
    return uses.values().stream().mapToLong(CgroupUse::mappedBytes).sum();
  }

  private void nameNested(Path inner, Path outer) {
    if (namedNested.add(inner)) {
      LOG.warn(
          "{} names {} and {} above it: only the upper one counts, and its entitlement includes the"
              + " lower one; remove one of them",
          MemoryLimitKeys.SERVICES,
          inner,
          outer);
    }
  }

  /**
   * Returns whether a cgroup is within the boundary, and neither above nor below the containers.
   */
  private boolean isService(Path cgroup) {
    Path node = layout.nodeDirectory(layout.memory());
    return boundary.cgroup().map(cgroup::startsWith).orElse(true)
        && !node.startsWith(cgroup)
        && !places.isContainers(cgroup);
  }

  /**
   * Returns the claims of containers that appeared after the first reading; earlier ones are not
   * cold starts, even those whose first turn to be read comes later.
   */
  private long claimBytes(
      Map<String, CgroupUse> production, Map<String, Long> reserved, long nanos) {
    firstSeen.keySet().retainAll(reserved.keySet());
    if (!hasRead) {
      reserved.keySet().stream()
          .filter(id -> places.production(id).filter(Files::isDirectory).isPresent())
          .forEach(id -> firstSeen.put(id, Long.MIN_VALUE));
    }
    List<ColdStart> starts = new ArrayList<>();
    production.forEach(
        (id, use) -> {
          firstSeen.putIfAbsent(id, nanos);
          if (firstSeen.get(id) != Long.MIN_VALUE) {
            starts.add(new ColdStart(firstSeen.get(id), reserved.get(id), use.bytes()));
          }
        });
    return ColdStart.claimBytes(starts, nanos);
  }

  @Override
  public void close() throws IOException {
    boundary.close();
    containers.close();
    services.close();
  }
}
