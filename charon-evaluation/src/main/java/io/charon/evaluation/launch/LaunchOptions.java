/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.nio.file.Path;
import java.util.List;

/**
 * Options of {@code bench launch}.
 *
 * @param executors pairs of executors
 * @param containers kinds of containers
 * @param launches measured launches of each kind by each executor, at least 1
 * @param program setuid program by which LinuxContainerExecutor becomes another user
 */
public record LaunchOptions(
    List<LaunchExecutor> executors, List<ContainerClass> containers, int launches, Path program) {
  private static final int MAX_FIRST_ROUNDS = 20;
  private static final int WARM_UP_FRACTION = 5;

  /** Copies the lists. */
  public LaunchOptions {
    executors = List.copyOf(executors);
    containers = List.copyOf(containers);
  }

  /**
   * Returns the number of rounds that do not count, in which classes are loaded and compiled and
   * files are cached.
   */
  int warmUpRounds() {
    return Math.min(MAX_FIRST_ROUNDS, 1 + launches / WARM_UP_FRACTION);
  }
}
