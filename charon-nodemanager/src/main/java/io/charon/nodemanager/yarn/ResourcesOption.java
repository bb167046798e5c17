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
 * The word that tells {@code container-executor} into which files it writes, as root, the id of the
 * process that becomes the container, before that process becomes the user.
 */
final class ResourcesOption {
  /** What separates the files; {@code PrivilegedOperation.LINUX_FILE_PATH_SEPARATOR}. */
  private static final String SEPARATOR = "%";

  private static final String KEY = "cgroups=";

  /** The container is in the cgroups of the NodeManager. */
  static final String NONE = KEY + "none";

  private ResourcesOption() {}

  /**
   * The word for some files.
   *
   * @param cgroupProcs files that take a process id; none for {@link #NONE}
   * @throws IllegalArgumentException if one cannot be said in this form; the container would not
   *     start with it
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
              + " cannot be told to container-executor, because it is relative or has a '%', '=' or"
              + " blank; choose another yarn.nodemanager.charon.cgroup.path");
    }
    return word;
  }
}
