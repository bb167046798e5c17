/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The argument that tells {@code container-executor} the files to which it writes, as root, the id
 * of the container's process before that process switches to the user.
 */
final class ResourcesOption {
  /** Separator of the files; {@code PrivilegedOperation.LINUX_FILE_PATH_SEPARATOR}. */
  private static final String SEPARATOR = "%";

  private static final String KEY = "cgroups=";

  /** The argument for a container that stays in the NodeManager's cgroups. */
  static final String NONE = KEY + "none";

  private ResourcesOption() {}

  /**
   * Returns the argument for some files.
   *
   * @param cgroupProcs files that take a process id; none results in {@link #NONE}
   * @throws IllegalArgumentException if a file cannot be expressed in this form; the container
   *     would not start with it
   */
  static String of(List<Path> cgroupProcs) {
    if (cgroupProcs.isEmpty()) {
      return NONE;
    }
    return cgroupProcs.stream()
        .map(ResourcesOption::word)
        .collect(Collectors.joining(SEPARATOR, KEY, ""));
  }

  private static String word(Path file) {
    String word = file.toString();
    if (!file.isAbsolute()
        || word.contains(SEPARATOR)
        || word.chars().anyMatch(c -> c == '=' || Character.isWhitespace(c))) {
      throw new IllegalArgumentException(
          file
              + " cannot be passed to container-executor, because it is relative or contains '%', '=' or a"
              + " blank; choose another yarn.nodemanager.charon.cgroup.path");
    }
    return word;
  }
}
