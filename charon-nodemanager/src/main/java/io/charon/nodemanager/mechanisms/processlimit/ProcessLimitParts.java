/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.processlimit;

import io.charon.core.law.ProcessLimit;
import io.charon.core.law.ProcessLimit.Bound;
import io.charon.core.law.ProcessLimit.Use;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.ProcessCount;
import io.charon.nodemanager.config.ProcessLimitSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.SingleMechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Assembles the limit of best-effort's processes and threads on this node: source, law, actuator.
 */
public final class ProcessLimitParts {
  private static final String NO_CONTROLLER =
      "no separate cgroup hierarchy has the pids controller: mount cgroup v2 with pids, or the v1"
          + " controller pids in its own hierarchy";

  /**
   * Reads how many processes and threads there are, and what bounds their number: the machine's
   * settings, and limits of the cgroups above best-effort's, such as systemd's TasksMax.
   */
  private record Source(Path procRoot, CgroupHierarchy pids, Path cgroup)
      implements SingleMechanism.Source<Use> {
    @Override
    public Use read(long nanos) throws IOException {
      List<Bound> bounds = new ArrayList<>();
      long all = all();
      for (String setting : List.of("pid_max", "threads-max")) {
        Path file = procRoot.resolve("sys/kernel").resolve(setting);
        // Not Files.readString: it reads one byte first, after which the kernel reports the end.
        String text = String.join(" ", Files.readAllLines(file));
        bounds.add(new Bound("kernel." + setting, ProcessCount.parse(file, text), all));
      }
      for (Path above = cgroup.getParent();
          above.startsWith(pids.mountPoint());
          above = above.getParent()) {
        ProcessCount count = new ProcessCount(above, pids.version());
        OptionalLong limit = count.limit();
        if (limit.isPresent()) {
          bounds.add(new Bound("pids.max of " + above, limit.getAsLong(), count.current()));
        }
      }
      return new Use(bounds, bestEffort());
    }

    /** Returns 0 before best-effort has its cgroup, as on a node that only observes. */
    private long bestEffort() throws IOException {
      return Files.isDirectory(cgroup) ? count().current() : 0;
    }

    ProcessCount count() {
      return new ProcessCount(cgroup, pids.version());
    }

    /** Returns the machine's number of processes and threads, which follows a slash. */
    private long all() throws IOException {
      Path file = procRoot.resolve("loadavg"); // proc_loadavg(5)
      String text = Files.readString(file);
      return ProcessCount.parse(file, text.replaceFirst("^.*/(\\d+) .*\\R?$", "$1"));
    }
  }

  private ProcessLimitParts() {}

  /**
   * Assembles the mechanism without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout where the containers' cgroups are or would be
   * @param procRoot where proc is mounted
   */
  public static SingleMechanism<Use> of(
      ProcessLimitSettings settings, Optional<CgroupLayout> layout, Path procRoot) {
    Optional<Source> source =
        layout.flatMap(
            known ->
                known
                    .hierarchy(CgroupController.PROCESSES)
                    .map(
                        pids ->
                            new Source(
                                procRoot,
                                pids,
                                known.classDirectory(pids, ContainerClass.BEST_EFFORT))));
    String missing = layout.isPresent() ? NO_CONTROLLER : CgroupLayout.NONE;
    Availability availability =
        source.isPresent() ? Availability.available() : Availability.missing(missing);
    return new SingleMechanism<>(
        new ProcessLimit(settings.reserve(), availability),
        settings.mode(),
        source
            .map(known -> actuator(known.count(), settings.mode()))
            .orElseGet(() -> Actuator.missing(missing)),
        source);
  }

  /**
   * In mode enforce the limit stays when the mechanism is made anew or the NodeManager ends: a fork
   * bomb would keep what it takes meanwhile, because a limit ends nothing.
   */
  private static Actuator actuator(ProcessCount bestEffort, RegulatorMode mode) {
    return Actuator.of(
        bestEffort::unavailable,
        wanted -> bestEffort.limit((long) wanted.amount()),
        mode == RegulatorMode.ENFORCE ? () -> {} : bestEffort::unlimit);
  }
}
