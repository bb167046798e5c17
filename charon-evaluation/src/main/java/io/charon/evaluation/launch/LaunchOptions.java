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
 * What {@code bench launch} measures.
 *
 * @param executors which pairs of executors
 * @param containers which kinds of containers
 * @param launches how many of each kind by each executor; at least 1
 * @param program by which LinuxContainerExecutor becomes another user
 */
public record LaunchOptions(
    List<LaunchExecutor> executors, List<ContainerClass> containers, int launches, Path program) {
  private static final int MAX_FIRST_ROUNDS = 20;
  private static final int PART_FIRST = 5;

  /** Copies the lists. */
  public LaunchOptions {
    executors = List.copyOf(executors);
    containers = List.copyOf(containers);
  }

  /** Rounds that do not count: classes are loaded and compiled, and files cached, meanwhile. */
  int firstRounds() {
    return Math.min(MAX_FIRST_ROUNDS, 1 + launches / PART_FIRST);
  }
}
