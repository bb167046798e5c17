/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
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
 * Whether each container's first process arrived in the container's cgroup. The launch goes on
 * where it did not, because a container shall run in any case; but then nothing that is done to the
 * cgroup reaches the container. One that arrived is not looked at again, until it changes its
 * class. {@link #look} is for one thread, the result for all.
 */
public final class ContainerPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerPlaces.class);

  /** A container that is being promoted is on its way for a moment: one look says nothing. */
  private static final int LOOKS = 2;

  /**
   * Who runs outside of its cgroup.
   *
   * @param places the memory cgroups that they are in, by container id
   * @param reason why, of the first of them; empty if there is none
   * @param cure what helps
   */
  public record Outside(SortedMap<String, Path> places, String reason, String cure) {
    /** Everybody is where he should be. */
    public static Outside nobody() {
      return new Outside(Collections.emptySortedMap(), "", "");
    }

    /** The first of them, as a sentence; nothing if there is none. */
    public Optional<String> sentence() {
      return places.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "%s runs outside of its cgroup, in %s: %s; %s"
                  .formatted(places.firstKey(), places.get(places.firstKey()), reason, cure));
    }
  }

  private final CgroupLayout layout;
  private final String user;
  private final Supplier<Collection<ContainerInfo>> running;
  private final Supplier<Map<String, Long>> firstProcesses;
  private final Map<String, Path> arrived = new HashMap<>();
  private final Map<String, Integer> missed = new HashMap<>();
  private volatile Outside outside = Outside.nobody();

  /**
   * Has seen nobody yet.
   *
   * @param layout where containers have their cgroups, and processes say where they are
   * @param user whose NodeManager this is, for the cure
   * @param running all containers of the node
   * @param firstProcesses of those that have one, by container id; asked only while somebody has
   *     not been seen in its cgroup
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

  /** What the last look found. */
  public Outside outside() {
    return outside;
  }

  /** Looks at everybody who was not seen in its cgroup yet. */
  public void look() {
    Map<String, Path> unseen = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (ContainerInfo container : running.get()) {
      Path directory = directory(container);
      ids.add(container.containerId());
      if (!directory.equals(arrived.get(container.containerId()))) {
        unseen.put(container.containerId(), directory);
      }
    }
    arrived.keySet().retainAll(ids);
    missed.keySet().retainAll(unseen.keySet());
    SortedMap<String, Path> found = new TreeMap<>();
    if (!unseen.isEmpty()) {
      Map<String, Long> processes = firstProcesses.get();
      unseen.forEach((id, directory) -> look(id, directory, processes.get(id), found));
    }
    tell(found);
    outside = found.isEmpty() ? Outside.nobody() : explain(found, unseen.get(found.firstKey()));
  }

  private void look(String id, Path directory, Long process, SortedMap<String, Path> found) {
    Optional<Path> place = process == null ? Optional.empty() : layout.memoryDirectory(process);
    if (place.isEmpty() || !Files.isDirectory(directory)) {
      return; // it has not started, or has ended, or was given no cgroup, which is said elsewhere
    }
    if (place.get().startsWith(directory)) {
      arrived.put(id, directory);
      missed.remove(id);
    } else if (missed.merge(id, 1, Integer::sum) >= LOOKS) {
      found.put(id, place.get());
    }
  }

  /** The first of them once; how many there are is a metric. */
  private void tell(SortedMap<String, Path> found) {
    if (!found.isEmpty() && outside.places().isEmpty()) {
      LOG.warn(
          "{} runs outside of its cgroup, in {}", found.firstKey(), found.get(found.firstKey()));
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
          "cgroup v2 lets only those move it who may write " + ancestor,
          "let root run `ua-killer tree add /%s --user %s` and start the NodeManager in /%s/nodemanager (docs/install.md)"
              .formatted(node, user, node));
    }
    return new Outside(
        found,
        "it could not enter " + directory,
        "see there cgroup.procs, which the NodeManager's user must be able to write, cgroup.type, which must be domain, and"
            + " cgroup.max.descendants above it");
  }

  private Path directory(ContainerInfo container) {
    return layout.containerDirectory(
        layout.memory(), container.containerClass(), container.containerId());
  }
}
