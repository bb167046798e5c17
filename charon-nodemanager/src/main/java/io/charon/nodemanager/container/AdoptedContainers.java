/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import com.codahale.metrics.Counter;
import io.charon.core.scheduler.ExecutionType;
import io.charon.killer.client.CgroupId;
import io.charon.nodemanager.cgroup.AdoptedCgroup;
import io.charon.nodemanager.cgroup.AdoptedSettings;
import io.charon.nodemanager.cgroup.AdoptedSettings.CgroupValues;
import io.charon.nodemanager.cgroup.AdoptedSettings.Weight;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.ForeignCgroups;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Isolation;
import io.charon.nodemanager.container.ContainerPlaces.Outside;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers whose cgroups YARN or Docker creates (isolation {@code attach} and {@code
 * beside}). It locates the first process of each container, adopts its cgroups when they appear,
 * and applies the settings that the cgroups support. The settings are applied again every 10 s,
 * because YARN writes its own values when it changes a container. It neither creates nor removes
 * cgroups. Call {@link #update} from one thread only; all other methods are thread-safe.
 */
public final class AdoptedContainers implements ContainerListener {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedContainers.class);

  /**
   * Checks of a new container, because its first process enters its cgroups one after the other.
   */
  private static final int MAX_CHECKS = 3;

  private static final Duration SET_AGAIN = Duration.ofSeconds(10);

  private static final String REASON =
      "neither YARN nor Docker put it into a cgroup of its own that Charon could adopt: its memory is"
          + " measured as the sum of its processes, and its weight is left unchanged";
  private static final String CURE =
      "set yarn.nodemanager.resource.memory.enabled and yarn.nodemanager.resource.cpu.enabled to"
          + " true, and make sure that yarn.nodemanager.linux-container-executor.cgroups.hierarchy is below"
          + " the mounts that the NodeManager sees";

  /**
   * The node's knowledge of its containers.
   *
   * @param running all running containers
   * @param firstProcesses first process of each container that has one, by container id
   * @param untouched whether a container started while Charon did not act
   * @param found notified of each container whose memory cgroup was found and on which Charon acts
   */
  public record Known(
      Supplier<Collection<ContainerInfo>> running,
      Supplier<Map<String, Long>> firstProcesses,
      Predicate<String> untouched,
      Consumer<ContainerInfo> found) {}

  private final ForeignCgroups foreign;
  private final boolean yarnWeighs;
  private final boolean adoptOnly;
  private final Known known;
  private final OomScores scores;
  private final IdleDisk disk;
  private final Counter failures;
  private final LongSupplier nanoClock;
  private final AdoptedSettings settings = new AdoptedSettings();
  private final Map<String, AdoptedCgroup> adopted = new ConcurrentHashMap<>();
  private final Map<String, Integer> checks = new HashMap<>();
  private volatile Set<String> bestEffort = Set.of();
  private volatile Outside outside = Outside.none();
  private long setNanos;

  AdoptedContainers(
      ForeignCgroups foreign,
      boolean yarnWeighs,
      boolean alone,
      Known known,
      OomScores scores,
      IdleDisk disk,
      Counter failures,
      LongSupplier nanoClock) {
    this.foreign = foreign;
    this.yarnWeighs = yarnWeighs;
    this.adoptOnly = alone;
    this.known = known;
    this.scores = scores;
    this.disk = disk;
    this.failures = failures;
    this.nanoClock = nanoClock;
    this.setNanos = nanoClock.getAsLong();
  }

  /**
   * Creates an instance if this node adopts cgroups.
   *
   * @param wanted where the cgroups of containers are, and which component creates them
   * @param procRoot the mount point of proc
   * @param alone whether Charon creates no cgroups in addition to the adopted ones
   * @param known the node's knowledge of its containers
   * @param scores sets OOM scores of processes that {@code container-executor} does not start
   * @param disk sets the I/O class of the same processes
   * @param failures counts failures
   * @param nanoClock monotonic nanoseconds
   * @return empty if Charon creates the cgroups, cgroups are disabled, or none are visible
   */
  public static Optional<AdoptedContainers> open(
      CharonSettings.Placement wanted,
      Path procRoot,
      boolean alone,
      Known known,
      OomScores scores,
      IdleDisk disk,
      Counter failures,
      LongSupplier nanoClock) {
    Isolation isolation = wanted.isolation();
    if (!isolation.attaches() || wanted.cgroupPath().isEmpty()) {
      return Optional.empty();
    }
    try {
      ForeignCgroups foreign =
          new ForeignCgroups(CgroupLayout.detect(procRoot, isolation.hierarchy()));
      LOG.info(
          "isolation {}: cgroups of containers are adopted below {}, because {}",
          alone ? "attach" : "beside",
          isolation.hierarchy(),
          isolation.makers());
      return Optional.of(
          new AdoptedContainers(
              foreign,
              isolation.yarnSetsWeights(),
              alone,
              known,
              scores,
              disk,
              failures,
              nanoClock));
    } catch (CgroupException e) {
      failures.inc();
      LOG.warn(
          "no cgroup of a container can be adopted below {}"
              + " (yarn.nodemanager.linux-container-executor.cgroups.hierarchy): {}",
          isolation.hierarchy(),
          e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns the layout of YARN's cgroups. */
  public CgroupLayout layout() {
    return foreign.layout();
  }

  /**
   * Returns the containers that an earlier NodeManager left in cgroups named by YARN, running or
   * ended.
   *
   * @return container id by the id of its memory cgroup
   */
  public Map<Long, String> survivors() {
    Map<Long, String> ids = new HashMap<>();
    try {
      for (Map.Entry<String, Path> one : foreign.named().entrySet()) {
        ids.put(CgroupId.of(one.getValue()), one.getKey());
      }
    } catch (IOException e) {
      LOG.debug("cannot list the cgroups that an earlier NodeManager left", e);
    }
    return ids;
  }

  /** Checks the running containers, adopts new cgroups and applies their settings. */
  public void update() {
    Map<String, ContainerInfo> running =
        known.running().get().stream()
            .collect(Collectors.toMap(ContainerInfo::containerId, info -> info, (a, b) -> b));
    adopted.keySet().retainAll(running.keySet());
    checks.keySet().retainAll(running.keySet());
    boolean again = nanoClock.getAsLong() - setNanos >= SET_AGAIN.toNanos();
    if (again) {
      setNanos = nanoClock.getAsLong();
    }
    List<ContainerInfo> due =
        running.values().stream().filter(info -> again || isNew(info.containerId())).toList();
    if (!due.isEmpty() || !outside.places().isEmpty()) {
      Map<String, Long> processes = known.firstProcesses().get();
      due.forEach(info -> update(info, Optional.ofNullable(processes.get(info.containerId()))));
      publishOutside(processes);
    }
    bestEffort =
        running.values().stream()
            .filter(info -> info.executionType() == ExecutionType.OPPORTUNISTIC)
            .map(ContainerInfo::containerId)
            .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isNew(String id) {
    return !adopted.containsKey(id) || checks.getOrDefault(id, 0) < MAX_CHECKS;
  }

  private void update(ContainerInfo info, Optional<Long> process) {
    if (process.isEmpty()) {
      return; // it has not started yet, or has ended
    }
    String id = info.containerId();
    checks.merge(id, 1, Integer::sum);
    Optional<AdoptedCgroup> before =
        Optional.ofNullable(adopted.get(id)).filter(AdoptedCgroup::exists);
    Optional<AdoptedCgroup> found =
        foreign.find(id, process.get()).filter(now -> isExclusive(id, now)).or(() -> before);
    if (found.isEmpty()) {
      adopted.remove(id);
      return;
    }
    adopted.put(id, found.get());
    boolean fresh = before.flatMap(AdoptedCgroup::memory).isEmpty();
    if (fresh && found.get().memory().isPresent() && !known.untouched().test(id)) {
      known.found().accept(info);
    }
    if (!known.untouched().test(id)) {
      settings.set(found.get(), targetSettings(info, false));
      if (before.isEmpty() && found.get().byEngine()) {
        applyProcessSettings(info, found.get())
            .ifPresent(
                reason -> {
                  failures.inc();
                  LOG.warn("{}: {}", id, reason);
                });
      }
    }
  }

  /** Returns whether no other container has the same or an overlapping cgroup. */
  private boolean isExclusive(String id, AdoptedCgroup found) {
    return adopted.entrySet().stream()
        .noneMatch(other -> !other.getKey().equals(id) && other.getValue().overlaps(found));
  }

  /**
   * Returns the values for a container's cgroups; production keeps the values that were found,
   * except for ApplicationMasters.
   */
  private CgroupValues targetSettings(ContainerInfo info, boolean changed) {
    boolean idle = info.containerClass() == ContainerClass.BEST_EFFORT;
    Weight full = changed && !yarnWeighs ? Weight.FULL : Weight.AS_FOUND;
    return new CgroupValues(
        idle ? Weight.MIN : full,
        idle || info.applicationMaster()
            ? OptionalInt.of(OomScores.swappinessOf(info))
            : OptionalInt.empty(),
        info.applicationMaster() ? OptionalLong.of(info.requestedBytes()) : OptionalLong.empty());
  }

  private Optional<String> applyProcessSettings(ContainerInfo info, AdoptedCgroup cgroup) {
    try {
      Set<Long> processes = cgroup.processes();
      long unchanged = scores.change(info, processes);
      Optional<String> failure = disk.change(info, processes);
      return unchanged == 0
          ? failure
          : Optional.of(unchanged + " processes keep their oom_score_adj");
    } catch (IOException e) {
      return Optional.of("it keeps its oom_score_adj and I/O class (" + e + ")");
    }
  }

  private void publishOutside(Map<String, Long> processes) {
    SortedMap<String, Path> found = new TreeMap<>();
    checks.forEach(
        (id, times) -> {
          if (times >= MAX_CHECKS && !adopted.containsKey(id) && processes.containsKey(id)) {
            layout().memoryDirectory(processes.get(id)).ifPresent(place -> found.put(id, place));
          }
        });
    if (adoptOnly && !found.isEmpty() && outside.places().isEmpty()) {
      LOG.warn("{} is not regulated: {}; {}", found.firstKey(), REASON, CURE);
    }
    outside = found.isEmpty() ? Outside.none() : new Outside(found, REASON, CURE);
  }

  /** A container that starts again may get other cgroups than before. */
  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    adopted.remove(container.containerId());
    return Optional.empty();
  }

  /** Returns what has to be applied to a container that was promoted or demoted. */
  public List<PlacementPart> parts() {
    return List.of(this::changeSettings, this::changeProcesses);
  }

  private Optional<String> changeSettings(ContainerInfo container) {
    AdoptedCgroup cgroup = adopted.get(container.containerId());
    return cgroup == null || settings.set(cgroup, targetSettings(container, true))
        ? Optional.empty()
        : Optional.of("a setting of its adopted cgroup is unchanged");
  }

  /** Waits for the cgroup of a container that has just started. */
  private Optional<String> changeProcesses(ContainerInfo container) {
    String id = container.containerId();
    AdoptedCgroup cgroup = adopted.get(id);
    if (!adoptOnly) {
      return Optional.empty();
    }
    if (cgroup != null) {
      return applyProcessSettings(container, cgroup);
    }
    return known.firstProcesses().get().containsKey(id) && !outside.places().containsKey(id)
        ? Optional.of("its cgroup is not known yet")
        : Optional.empty();
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    adopted.remove(containerId);
  }

  /** Returns the cgroups that count the memory of containers, by container id. */
  public Map<String, Path> memory() {
    Map<String, Path> places = new TreeMap<>();
    adopted.forEach((id, cgroup) -> cgroup.memory().ifPresent(place -> places.put(id, place)));
    return places;
  }

  /** Returns the best-effort containers that were running at the last check. */
  public Set<String> bestEffort() {
    return bestEffort;
  }

  /** Returns the containers that have a first process but no cgroup of their own. */
  public Outside outside() {
    return outside;
  }

  /** Returns how many settings failed so far. */
  public long warnings() {
    return settings.warnings();
  }
}
