/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists the cgroups directly below a cgroup, which other processes may change at the same time. A
 * cgroup also contains some 30 files. They are not looked at one by one: the number of its links
 * shows whether there is a cgroup below at all, and most names are either those of files or those
 * of cgroups.
 */
public final class CgroupChildren {
  /** Links of a directory without directories below: its name and its own entry. */
  private static final int LINKS_OF_A_LEAF = 2;

  private CgroupChildren() {}

  /** Tests one cgroup. */
  @FunctionalInterface
  interface Test {
    boolean of(Path cgroup) throws IOException;
  }

  /** Returns the cgroups directly below; empty if the cgroup does not exist. */
  public static List<Path> of(Path cgroup) throws IOException {
    return of(cgroup, name -> true);
  }

  /** Returns the cgroups directly below whose names pass a test. */
  static List<Path> of(Path cgroup, Predicate<String> names) throws IOException {
    List<Path> children = new ArrayList<>();
    boolean unused =
        any(
            cgroup,
            names,
            child -> {
              children.add(child);
              return false;
            });
    return children;
  }

  /** Returns whether a cgroup directly below passes a test; the first one ends the search. */
  static boolean any(Path cgroup, Test test) throws IOException {
    return any(cgroup, name -> true, test);
  }

  private static boolean any(Path cgroup, Predicate<String> names, Test test) throws IOException {
    try {
      if (isLeaf(cgroup)) {
        return false;
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(cgroup)) {
        for (Path entry : entries) {
          String name = entry.getFileName().toString();
          if (names.test(name) && isCgroup(entry, name) && test.of(entry)) {
            return true;
          }
        }
        return false;
      }
    } catch (NoSuchFileException e) {
      return false;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Filesystems that do not count the directories below report one link. */
  private static boolean isLeaf(Path cgroup) throws IOException {
    return Files.getAttribute(cgroup, "unix:nlink").equals(LINKS_OF_A_LEAF);
  }

  private static boolean isCgroup(Path entry, String name) {
    return !mayBeFile(name) || Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns whether the kernel may have given this name to a file: "cgroup." or the name of a
   * controller and a dot come first, except in three old ones of version 1.
   */
  private static boolean mayBeFile(String name) {
    return switch (name) {
      case "tasks", "notify_on_release", "release_agent" -> true;
      default -> name.indexOf('.') >= 0;
    };
  }
}
