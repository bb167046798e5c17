/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.MemoryLimitKeys;
import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether the memory limit knows all entitlements on this machine. A production container is
 * entitled to its reservation, which YARN knows. Of a service outside YARN, only the mapped memory
 * is known to be in use; the page cache that it reads is protected only up to a small share.
 */
final class MemoryRightsCheck implements Check {
  private static final String NAME = "memory rights";

  /** Not allowed in the key's patterns, such as the backslash with which systemd escapes names. */
  private static final Pattern NOT_IN_PATTERNS = Pattern.compile("[\\\\\\[\\]{},\\p{Cntrl}]");

  private static final int DEEPEST = 4;
  private static final int PERCENT = 100;
  private static final long MEBIBYTE = 1L << 20;

  /** A cgroup that holds page cache without an entitlement. */
  private record UnprotectedCgroup(Path cgroup, long bytes) {}

  private final KernelFiles kernel;
  private final YarnSite site;

  MemoryRightsCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    try {
      return check();
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
  }

  private CheckResult check() {
    if (value(MemoryLimitKeys.MODE).equals("off")) {
      return CheckResult.ok(NAME, MemoryLimitKeys.MODE + " is off");
    }
    if (value(MemoryLimitKeys.PAGE_CACHE).equals("none")) {
      return CheckResult.degraded(
          NAME,
          MemoryLimitKeys.PAGE_CACHE + " is none: production has no entitlement to its page cache",
          "set it to reserved");
    }
    CgroupMounts mounts = CgroupMounts.read(kernel);
    long total = kernel.memoryBytes("MemTotal").orElse(0);
    String known =
        "the entitlement of a production container is its reservation, page cache included";
    if (!value(SettingsReader.MEMORY_BOUNDARY).equals("host")
        || mounts.mountOf("memory").isEmpty()
        || total == 0) {
      return CheckResult.ok(NAME, known);
    }
    int percent = Integer.parseInt(value(MemoryLimitKeys.SYSTEM_PERCENT));
    List<UnprotectedCgroup> all =
        without(mounts.mountOf("memory").get(), mounts.version(), total / PERCENT * percent);
    if (all.isEmpty()) {
      return CheckResult.ok(
          NAME, known + "; no other cgroup holds more than %d %% of memory".formatted(percent));
    }
    return CheckResult.degraded(
        NAME,
        all.stream()
            .map(one -> "%s holds %d MiB".formatted(one.cgroup(), one.bytes() / MEBIBYTE))
            .collect(
                Collectors.joining(
                    ", ", "", " of page cache from read(), without an entitlement to it")),
        "give those that need the page cache an entitlement: %s=%s"
            .formatted(MemoryLimitKeys.SERVICES, services(all)));
  }

  /** Returns a value of the key that takes no entitlement away. */
  private String services(List<UnprotectedCgroup> more) {
    return Stream.concat(
            Stream.of(value(MemoryLimitKeys.SERVICES)).filter(services -> !services.equals("none")),
            more.stream()
                .map(
                    one ->
                        NOT_IN_PATTERNS.matcher(one.cgroup().toString()).replaceAll("?") + "=all"))
        .collect(Collectors.joining(","));
  }

  private String value(String key) {
    return site.get(key).orElse("");
  }

  private List<UnprotectedCgroup> without(Path mount, int version, long mostBytes) {
    Set<Path> known = new TreeSet<>();
    if (!value(MemoryLimitKeys.SERVICES).equals("none")) {
      List<String> patterns =
          Arrays.stream(value(MemoryLimitKeys.SERVICES).split(",", -1))
              .map(entry -> entry.strip().replaceFirst("=[^=]*$", ""))
              .toList();
      known.addAll(new CgroupPatterns(mount, patterns).find());
    }
    Path node = Path.of(mount + "/" + NodePath.of(kernel, value(NodeCgroupPath.KEY))).normalize();
    known.add(node);
    List<UnprotectedCgroup> found = new ArrayList<>();
    for (Path child : children(mount)) {
      found.addAll(below(child, version, mostBytes, known, 1));
    }
    found.sort(Comparator.comparingLong(UnprotectedCgroup::bytes).reversed());
    return found.stream()
        .map(
            one ->
                new UnprotectedCgroup(Path.of("/" + mount.relativize(one.cgroup())), one.bytes()))
        .toList();
  }

  /**
   * Finds the lowest cgroups that hold more than this; a cgroup above holds it only because of
   * them.
   */
  private List<UnprotectedCgroup> below(
      Path cgroup, int version, long mostBytes, Set<Path> known, int depth) {
    if (known.contains(cgroup)) {
      return List.of();
    }
    long bytes = readBytes(cgroup, version);
    if (bytes <= mostBytes) {
      return List.of();
    }
    List<UnprotectedCgroup> found = new ArrayList<>();
    if (depth < DEEPEST) {
      for (Path child : children(cgroup)) {
        found.addAll(below(child, version, mostBytes, known, depth + 1));
      }
    }
    boolean holdsOthers = known.stream().anyMatch(other -> other.startsWith(cgroup));
    return !found.isEmpty() || holdsOthers ? found : List.of(new UnprotectedCgroup(cgroup, bytes));
  }

  /** Bytes of page cache that is not mapped. */
  private long readBytes(Path cgroup, int version) {
    String prefix = version == 1 ? "total_" : "";
    String mapped = version == 1 ? "total_mapped_file" : "file_mapped";
    long bytes = 0;
    for (String line : kernel.read(cgroup.resolve("memory.stat")).orElse("").lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length != 2 || !words[1].matches("\\d{1,18}")) {
        continue;
      }
      if (words[0].equals(prefix + "active_file") || words[0].equals(prefix + "inactive_file")) {
        bytes += Long.parseLong(words[1]);
      } else if (words[0].equals(mapped)) {
        bytes -= Long.parseLong(words[1]);
      }
    }
    return bytes;
  }

  private static List<Path> children(Path cgroup) {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(cgroup)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          children.add(entry);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return children; // the cgroup was removed, or belongs to another user
    }
    return children;
  }
}
