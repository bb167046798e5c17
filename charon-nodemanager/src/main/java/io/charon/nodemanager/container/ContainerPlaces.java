/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the first process of each container arrived in the container's cgroup. If it did
 * not, the launch continues, because a container must run in any case; but then limits on the
 * cgroup do not affect it. A container that has arrived is not checked again until it changes its
 * class. Call {@link #update} from one thread only; the result may be read by all threads.
 */
public final class ContainerPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerPlaces.class);

  /**
   * Failed checks before a container is reported; one is not enough, because a container that is
   * being promoted is briefly outside its cgroup.
   */
  private static final int MAX_MISSES = 2;

  /**
   * The containers that run outside their cgroups.
   *
   * @param places the memory cgroups that they are in, by container id
   * @param reason the reason for the first of them; empty if there is none
   * @param cure the cure
   */
  public record Outside(SortedMap<String, Path> places, String reason, String cure) {
    /** Returns the result in which no container is outside its cgroup. */
    public static Outside none() {
      return new Outside(Collections.emptySortedMap(), "", "");
    }

    /** Returns a sentence about the first of them; empty if there is none. */
    public Optional<String> sentence() {
      return places.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "%s runs outside its cgroup, in %s: %s; %s"
                  .formatted(places.firstKey(), places.get(places.firstKey()), reason, cure));
    }
  }

  private final CgroupLayout layout;
  private final String user;
  private final Supplier<Collection<ContainerInfo>> running;
  private final Supplier<Map<String, Long>> firstProcesses;

  /** The class in whose cgroup each container was seen. */
  private final Map<String, ContainerClass> arrived = new HashMap<>();

  private final Map<String, Integer> missed = new HashMap<>();
  private volatile Outside outside = Outside.none();

  /**
   * Creates a checker that has not checked any container.
   *
   * @param layout the layout of the containers' cgroups, which also locates processes
   * @param user the user of this NodeManager, for the text of the cure
   * @param running all containers of the node
   * @param firstProcesses first process of each container that has one, by container id; called
   *     only while a container has not been seen in its cgroup
   */
  public ContainerPlaces(
      CgroupLayout layout,
      String user,
      Supplier<Collection<ContainerInfo>> running,
      Supplier<Map<String, Long>> firstProcesses) {
    this.layout = layout;
    this.user = user;
    this.running = running;
    this.firstProcesses = firstProcesses;
  }

  /** Returns the result of the last check. */
  public Outside outside() {
    return outside;
  }

  /** Checks every container that has not been seen in its cgroup yet. */
  public void update() {
    Map<String, ContainerInfo> unseen = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (ContainerInfo container : running.get()) {
      ids.add(container.containerId());
      if (container.containerClass() != arrived.get(container.containerId())) {
        unseen.put(container.containerId(), container);
      }
    }
    arrived.keySet().retainAll(ids);
    missed.keySet().retainAll(unseen.keySet());
    SortedMap<String, Path> found = new TreeMap<>();
    if (!unseen.isEmpty()) {
      Map<String, Long> processes = firstProcesses.get();
      unseen.forEach((id, container) -> update(container, processes.get(id), found));
    }
    publishOutside(found);
    outside =
        found.isEmpty() ? Outside.none() : explain(found, directory(unseen.get(found.firstKey())));
  }

  private void update(ContainerInfo container, Long process, SortedMap<String, Path> found) {
    String id = container.containerId();
    Path directory = directory(container);
    Optional<Path> place = process == null ? Optional.empty() : layout.memoryDirectory(process);
    if (place.isEmpty() || !Files.isDirectory(directory)) {
      return; // not started, ended, or without a cgroup, which is reported elsewhere
    }
    if (place.get().startsWith(directory)) {
      arrived.put(id, container.containerClass());
      missed.remove(id);
    } else if (missed.merge(id, 1, Integer::sum) >= MAX_MISSES) {
      found.put(id, place.get());
    }
  }

  /** Logs the first of them once; their number is a metric. */
  private void publishOutside(SortedMap<String, Path> found) {
    if (!found.isEmpty() && outside.places().isEmpty()) {
      LOG.warn("{} runs outside its cgroup, in {}", found.firstKey(), found.get(found.firstKey()));
    }
  }

  private Outside explain(SortedMap<String, Path> found, Path directory) {
    Path place = found.get(found.firstKey());
    Path common = place;
    while (!directory.startsWith(common)) {
      common = common.getParent();
    }
    Path ancestor = common.resolve("cgroup.procs");
    if (layout.version() == CgroupVersion.V2 && !Files.isWritable(ancestor)) {
      String node =
          layout.memory().mountPoint().relativize(layout.nodeDirectory(layout.memory())).toString();
      return new Outside(
          found,
          "with cgroup v2, moving it needs write permission on " + ancestor,
          "run `ua-killer tree add /%s --user %s` as root and start the NodeManager in /%s/nodemanager (docs/install.md)"
              .formatted(node, user, node));
    }
    return new Outside(
        found,
        "it could not enter " + directory,
        "check in that cgroup that the NodeManager's user may write cgroup.procs and that cgroup.type is domain, and check"
            + " cgroup.max.descendants above it");
  }

  private Path directory(ContainerInfo container) {
    return layout.containerDirectory(
        layout.memory(), container.containerClass(), container.containerId());
  }
}
