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
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the cgroups of one hierarchy that match the operator's patterns, such as those of services
 * or virtual machines outside YARN.
 */
public final class CgroupPatterns {
  private static final Logger LOG = LoggerFactory.getLogger(CgroupPatterns.class);

  /** A name without wildcards, which matches only itself, so that nothing has to be listed. */
  private static final Pattern PLAIN = Pattern.compile("(?!\\.\\.?$)[^*?\\\\\\[{]+");

  private final Path hierarchy;
  private final List<String> patterns;

  /**
   * Creates a finder.
   *
   * @param hierarchy the mount point of a hierarchy
   * @param patterns cgroup paths such as /system.slice/postgresql*.service; a glob never matches a
   *     slash
   */
  public CgroupPatterns(Path hierarchy, List<String> patterns) {
    this.hierarchy = hierarchy;
    this.patterns = List.copyOf(patterns);
  }

  /** Returns the matching cgroups that exist now. */
  public List<Path> find() {
    List<Path> found = new ArrayList<>();
    for (String pattern : patterns) {
      try {
        found.addAll(matching(pattern));
      } catch (IOException e) {
        LOG.debug("cgroups of {} cannot be listed", pattern, e);
      }
    }
    return found;
  }

  private List<Path> matching(String pattern) throws IOException {
    List<Path> level = List.of(hierarchy);
    for (String segment : pattern.substring(1).split("/", -1)) {
      List<Path> below = new ArrayList<>();
      for (Path parent : level) {
        below.addAll(children(parent, segment));
      }
      level = below;
    }
    return level;
  }

  private static List<Path> children(Path parent, String glob) throws IOException {
    if (PLAIN.matcher(glob).matches()) {
      Path only = parent.resolve(glob);
      return Files.isDirectory(only, LinkOption.NOFOLLOW_LINKS) ? List.of(only) : List.of();
    }
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, glob)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          children.add(entry);
        }
      }
    } catch (NoSuchFileException e) {
      return List.of(); // the cgroup was removed meanwhile
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return children;
  }
}
