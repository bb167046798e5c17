/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.config.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which {@code oom_score_adj} and swappiness a container carries, so that the kernel and Charon
 * agree on who may die. As in table 2 of the Charon paper (section 3.3), but for the score of those
 * who shall not die, which is the operator's ({@link ProcessSettings}).
 */
public final class OomScores {
  private static final Logger LOG = LoggerFactory.getLogger(OomScores.class);

  /** Best-effort tasks die first. */
  public static final int BEST_EFFORT = 1000;

  /** What protected ones carry where the process may not lower a score. */
  public static final int NEUTRAL = 0;

  /** Swappiness of tasks: pages that are never used again may go (section 5.6). */
  public static final int TASK_SWAPPINESS = 60;

  /** Swappiness of ApplicationMasters: their pages stay. */
  public static final int MASTER_SWAPPINESS = 0;

  private static final int CAP_SYS_RESOURCE = 24;
  private static final String CAPABILITIES = "CapEff:";

  private final Path procRoot;
  private final ProcessSettings settings;
  private final boolean mayLower;

  /**
   * Finds out whether this process may lower a score, and warns once if not.
   *
   * @param procRoot where proc is mounted
   * @param settings of those who shall not die
   */
  public OomScores(Path procRoot, ProcessSettings settings) {
    this.procRoot = procRoot;
    this.settings = settings;
    this.mayLower = hasSysResource(procRoot.resolve("self/status"));
    if (!mayLower) {
      LOG.warn(
          "oom_score_adj of production containers and ApplicationMasters is {} instead of {} and {}:"
              + " the NodeManager lacks CAP_SYS_RESOURCE; grant it (systemd: AmbientCapabilities) to"
              + " protect them from the kernel's OOM killer too",
          NEUTRAL,
          settings.productionOomScore(),
          settings.masterOomScore());
    }
  }

  /** The score that a container's processes carry. */
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
   * Gives running processes the score of a container that was promoted or demoted. Back to neutral
   * needs no privilege: the score was never below.
   *
   * @return how many processes did not get it, those that ended meanwhile not counted
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
      LOG.debug("{} does not take {}", file, score, e);
      return !Files.exists(file);
    }
  }

  /** The swappiness of a container's cgroup. */
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
