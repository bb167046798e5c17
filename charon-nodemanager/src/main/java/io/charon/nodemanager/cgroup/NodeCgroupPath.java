/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The path of a node's cgroup below the mount points. */
public final class NodeCgroupPath {
  /** Value used instead of a path: the tree in which this process was started. */
  public static final String AUTOMATIC = "auto";

  /** Default path if this process was not started in such a tree. */
  public static final String ELSEWHERE = "/charon";

  /** Key of the path. */
  public static final String KEY = "yarn.nodemanager.charon.cgroup.path";

  /**
   * Name of the NodeManager's own cgroup as {@code ua-killer tree add} or systemd's {@code
   * DelegateSubgroup=} creates it.
   */
  private static final String HOME = "nodemanager";

  private NodeCgroupPath() {}

  /**
   * Rejects values that are not valid on any machine.
   *
   * @param configured {@link #AUTOMATIC}, or a path such as /charon: absolute, not "/", without
   *     empty, "." and ".." segments
   * @throws CgroupException naming the key, the value and the allowed values
   */
  public static void check(String configured) throws CgroupException {
    boolean valid =
        configured.startsWith("/")
            && configured.length() > 1
            && Arrays.stream(configured.substring(1).split("/", -1))
                .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    valid &= configured.chars().noneMatch(Character::isISOControl);
    if (!valid && !configured.equals(AUTOMATIC)) {
      throw new CgroupException(
          KEY
              + " is '"
              + CgroupLayout.printable(configured)
              + "': give auto, or an absolute cgroup path such as /charon, without empty, '.' or '..' parts");
    }
  }

  static String of(String configured, CgroupMount memoryMount, Optional<Path> self)
      throws CgroupException {
    String path = configured.equals(AUTOMATIC) ? ownTree(memoryMount, self) : configured;
    check(path);
    return path;
  }

  /**
   * Returns the parent of this process's own cgroup, so that containers are beside it. On version 2
   * a user can move processes only inside one tree, and a service's limits and accounting cover
   * everything below it.
   */
  private static String ownTree(CgroupMount mount, Optional<Path> self) {
    Optional<Path> tree =
        self.filter(own -> mount.version() == CgroupVersion.V2)
            .filter(own -> own.endsWith(HOME))
            .map(Path::getParent)
            .filter(parent -> !parent.equals(mount.mountPoint()));
    if (tree.isEmpty()) {
      return ELSEWHERE;
    }
    // This directory belongs to root, inside a unit that belongs to the user.
    Path rooted = tree.get().resolve(ELSEWHERE.substring(1));
    return "/" + mount.mountPoint().relativize(Files.isDirectory(rooted) ? rooted : tree.get());
  }
}
