/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code oom_score_adj} and swappiness of containers, which make the kernel and Charon agree on
 * which processes may be killed. The values are those of table 2 of the Charon paper (section 3.3),
 * except for the scores of protected containers, which the operator sets ({@link ProcessSettings}).
 */
public final class OomScores {
  private static final Logger LOG = LoggerFactory.getLogger(OomScores.class);

  /** Score of best-effort tasks, which are killed first. */
  public static final int BEST_EFFORT = 1000;

  /** Score of protected containers if this process may not lower a score. */
  public static final int NEUTRAL = 0;

  /** Swappiness of tasks: pages that are never used again may be swapped out (section 5.6). */
  public static final int TASK_SWAPPINESS = 60;

  /** Swappiness of ApplicationMasters: their pages stay in memory. */
  public static final int MASTER_SWAPPINESS = 0;

  private static final int CAP_SYS_RESOURCE = 24;
  private static final String CAPABILITIES = "CapEff:";

  private final Path procRoot;
  private final ProcessSettings settings;
  private final boolean mayLower;

  /**
   * Checks whether this process may lower a score, and warns once if not.
   *
   * @param procRoot the mount point of proc
   * @param settings the scores of protected containers
   */
  public OomScores(Path procRoot, ProcessSettings settings) {
    this.procRoot = procRoot;
    this.settings = settings;
    this.mayLower = hasSysResource(procRoot.resolve("self/status"));
    if (!mayLower) {
      LOG.warn(
          "oom_score_adj of production containers and ApplicationMasters is {} instead of {} and {}:"
              + " the NodeManager lacks CAP_SYS_RESOURCE; grant it (systemd: AmbientCapabilities) to"
              + " protect them from the kernel's OOM killer as well",
          NEUTRAL,
          settings.productionOomScore(),
          settings.masterOomScore());
    }
  }

  /** Returns the score of a container's processes. */
  public int scoreOf(ContainerInfo container) {
    if (isBestEffortTask(container)) {
      return BEST_EFFORT;
    }
    if (!mayLower) {
      return NEUTRAL;
    }
    return container.applicationMaster()
        ? settings.masterOomScore()
        : settings.productionOomScore();
  }

  /**
   * Sets the score of the running processes of a promoted or demoted container. Returning to
   * neutral needs no privilege, because the score was never lower.
   *
   * @return how many processes did not get it, not counting those that ended meanwhile
   */
  public long change(ContainerInfo container, Collection<Long> processes) {
    String score = Integer.toString(scoreOf(container));
    return processes.stream().filter(process -> !change(process, score)).count();
  }

  private boolean change(long process, String score) {
    Path file = procRoot.resolve(Long.toString(process)).resolve("oom_score_adj");
    try {
      Files.writeString(file, score, StandardOpenOption.WRITE);
      return true;
    } catch (IOException e) {
      LOG.debug("cannot set {} to {}", file, score, e);
      return !Files.exists(file);
    }
  }

  /** Returns the swappiness of a container's cgroup. */
  public static int swappinessOf(ContainerInfo container) {
    return container.applicationMaster() ? MASTER_SWAPPINESS : TASK_SWAPPINESS;
  }

  private static boolean isBestEffortTask(ContainerInfo container) {
    return container.executionType() == ExecutionType.OPPORTUNISTIC
        && !container.applicationMaster();
  }

  private static boolean hasSysResource(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(CAPABILITIES)) {
          long effective = Long.parseUnsignedLong(line.substring(CAPABILITIES.length()).trim(), 16);
          return (effective >>> CAP_SYS_RESOURCE & 1) == 1;
        }
      }
    } catch (IOException | NumberFormatException e) {
      LOG.debug("cannot read capabilities from {}", status, e);
    }
    return false;
  }
}
