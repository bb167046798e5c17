/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cgroup mount from /proc/PID/mountinfo (proc_pid_mountinfo(5)).
 *
 * @param root the part of the hierarchy that is mounted, "/" for all of it
 * @param mountPoint where it is mounted
 * @param options the super block's options, which name the controllers on v1
 */
record CgroupMount(CgroupVersion version, String root, Path mountPoint, Set<String> options) {
  private static final Logger LOG = LoggerFactory.getLogger(CgroupMount.class);

  private static final int ROOT_FIELD = 3;
  private static final int MOUNT_POINT_FIELD = 4;

  CgroupMount {
    options = Set.copyOf(options);
  }

  /** Returns whether this is a version 1 mount with the controller. */
  boolean hasOnVersion1(CgroupController controller) {
    return version == CgroupVersion.V1 && options.contains(controller.kernelName(version));
  }

  /** Reads a file of names that need not be UTF-8; what is not is replaced. */
  static List<String> lines(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
  }

  /**
   * Returns the cgroup mounts of the lines in their order. Other and malformed lines are skipped,
   * and mount points that the character set of this process's locale does not have.
   */
  static List<CgroupMount> parse(List<String> mountinfo) {
    List<CgroupMount> mounts = new ArrayList<>();
    for (String line : mountinfo) {
      try {
        parse(line).ifPresent(mounts::add);
      } catch (InvalidPathException e) {
        LOG.debug("a cgroup mount is skipped", e);
      }
    }
    return mounts;
  }

  private static Optional<CgroupMount> parse(String line) {
    // The number of optional fields before " - " varies; the file system type and options follow
    // it.
    int separator = line.indexOf(" - ");
    if (separator < 0) {
      return Optional.empty();
    }
    String[] mount = line.substring(0, separator).split(" ", -1);
    String[] fileSystem = line.substring(separator + 3).split(" ", -1);
    if (mount.length <= MOUNT_POINT_FIELD || fileSystem.length < 3) {
      return Optional.empty();
    }
    Optional<CgroupVersion> version =
        switch (fileSystem[0]) {
          case "cgroup" -> Optional.of(CgroupVersion.V1);
          case "cgroup2" -> Optional.of(CgroupVersion.V2);
          default -> Optional.empty();
        };
    return version.map(
        v ->
            new CgroupMount(
                v,
                unescape(mount[ROOT_FIELD]),
                Path.of(unescape(mount[MOUNT_POINT_FIELD])),
                Set.copyOf(Arrays.asList(fileSystem[2].split(",", -1)))));
  }

  /**
   * Returns the directory of a process's cgroup below this mount.
   *
   * @param cgroup its path in the hierarchy as in /proc/PID/cgroup
   * @return empty if the mount does not show that part of the hierarchy
   */
  Optional<Path> locate(String cgroup) {
    Path relative = Path.of("/").resolve(cgroup.substring(1));
    Path mounted = Path.of(root);
    // A path outside the root of a cgroup namespace appears as /../other.
    if (!relative.equals(relative.normalize()) || !mounted.equals(mounted.normalize())) {
      return Optional.empty();
    }
    return relative.startsWith(mounted)
        ? Optional.of(mountPoint.resolve(mounted.relativize(relative)).normalize())
        : Optional.empty();
  }

  /** Decodes the kernel's octal escapes of space, tab, newline and backslash. */
  private static String unescape(String field) {
    StringBuilder text = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '\\' && i + 3 < field.length()) {
        text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        text.append(field.charAt(i));
      }
    }
    return text.toString();
  }
}
