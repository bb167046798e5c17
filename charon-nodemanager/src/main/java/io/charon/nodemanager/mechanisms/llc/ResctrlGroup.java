/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A group of resctrl (Intel CAT) whose tasks share some ways of the last-level cache. An operator
 * has made its directory, because that takes root; what follows needs no privilege but to write
 * three files (kernel: Documentation/arch/x86/resctrl.rst).
 */
public final class ResctrlGroup {
  private static final int HEXADECIMAL = 16;
  private static final int MOST_WAYS = 62;
  private static final String SCHEMA = "L3:";
  private static final Pattern DOMAIN = Pattern.compile("\\s*(\\d{1,9})=([0-9a-fA-F]{1,15})\\s*");

  private final Path group;
  private final Path root;

  /**
   * A group; nothing is touched yet.
   *
   * @param group its directory, directly below the mount point of resctrl
   */
  public ResctrlGroup(Path group) {
    this.group = group;
    this.root = Optional.ofNullable(group.getParent()).orElse(group);
  }

  /** Whether there is such a group. */
  public boolean exists() {
    return Files.isDirectory(group);
  }

  /** Why the group cannot be used, with the cure; empty if it can. */
  public Optional<String> unavailable() {
    Path mask = info("cbm_mask");
    if (Files.exists(root.resolve("info/L3CODE"))) {
      return Optional.of(
          root + " is mounted with cdp, which parts code from data: mount it without");
    }
    if (!Files.exists(mask)) {
      return Optional.of(
          mask
              + " does not exist: the processor needs Intel CAT (flag cat_l3 in /proc/cpuinfo),"
              + " and resctrl must be mounted (mount -t resctrl resctrl /sys/fs/resctrl)");
    }
    if (!exists()) {
      return Optional.of(group + " does not exist: as root, mkdir " + group);
    }
    for (Path file : new Path[] {schemata(), tasks(group), tasks(root)}) {
      if (!Files.isWritable(file)) {
        return Optional.of(
            "%s cannot be written: as root, chown the NodeManager's user %1$s".formatted(file));
      }
    }
    return Optional.empty();
  }

  /**
   * How many ways the cache has.
   *
   * @throws IOException naming the file
   */
  public int ways() throws IOException {
    int ways = Long.bitCount(mask());
    if (mask() != maskOf(ways)) {
      throw new IOException(info("cbm_mask") + " has gaps, which no contiguous mask can fill");
    }
    return ways;
  }

  /**
   * How many ways a group has at least.
   *
   * @throws IOException naming the file
   */
  public int leastWays() throws IOException {
    return (int) number(info("min_cbm_bits"), 10, 1, MOST_WAYS);
  }

  /**
   * Gives the group some ways of each cache, the lowest: the highest are often those that devices
   * write into, too.
   *
   * @param ways from {@link #leastWays} to {@link #ways}
   * @return the schema that holds now, such as L3:0=f;1=f
   * @throws IOException naming the file, and what the kernel says of it
   */
  public String limit(int ways) throws IOException {
    long wanted = maskOf(ways);
    StringBuilder schema = new StringBuilder(SCHEMA);
    boolean holds = true;
    for (String domain : domains()) {
      Matcher parts = DOMAIN.matcher(domain);
      if (!parts.matches()) {
        throw new IOException(schemata() + " holds '" + domain + "', not a domain and its mask");
      }
      schema.append(schema.length() == SCHEMA.length() ? "" : ";");
      schema.append(parts.group(1)).append('=').append(Long.toHexString(wanted));
      holds &= Long.parseLong(parts.group(2), HEXADECIMAL) == wanted;
    }
    if (!holds) {
      write(schemata(), schema + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    }
    return schema.toString();
  }

  /**
   * Takes threads in; what they start later is in by itself.
   *
   * @param threads their ids; one that has ended meanwhile is none, and neither is 0, which stands
   *     for a thread of another pid namespace, but for the writer itself here
   * @param procRoot where proc is mounted, to tell those
   * @return how many were not in before
   * @throws IOException naming the file and the thread
   */
  public int take(Set<Long> threads, Path procRoot) throws IOException {
    Set<Long> missing = new LinkedHashSet<>(threads);
    missing.remove(0L);
    missing.removeAll(members());
    move(missing, tasks(group), procRoot);
    return missing.size();
  }

  /**
   * Gives the group all ways again and moves its threads to the default group.
   *
   * @param procRoot where proc is mounted
   * @throws IOException naming the file
   */
  public void release(Path procRoot) throws IOException {
    limit(ways());
    move(members(), tasks(root), procRoot);
  }

  private void move(Set<Long> threads, Path tasks, Path procRoot) throws IOException {
    for (long thread : threads) {
      try {
        // One by one, because older kernels take no list.
        write(tasks, thread + "\n", StandardOpenOption.APPEND);
      } catch (IOException e) {
        if (Files.exists(procRoot.resolve(Long.toString(thread))) || !Files.exists(tasks)) {
          throw e;
        }
      }
    }
  }

  private Set<Long> members() throws IOException {
    Set<Long> members = new LinkedHashSet<>();
    for (String line : read(tasks(group)).lines().toList()) {
      try {
        members.add(Long.valueOf(line));
      } catch (NumberFormatException e) {
        throw new IOException(tasks(group) + " holds '" + line + "', not a thread", e);
      }
    }
    return members;
  }

  private String[] domains() throws IOException {
    return read(schemata())
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith(SCHEMA))
        .findFirst()
        .map(line -> line.substring(SCHEMA.length()).split(";", -1))
        .orElseThrow(() -> new IOException(schemata() + " has no line " + SCHEMA));
  }

  private long mask() throws IOException {
    return number(info("cbm_mask"), HEXADECIMAL, 1, maskOf(MOST_WAYS));
  }

  private static long maskOf(int ways) {
    return (1L << ways) - 1;
  }

  private static long number(Path file, int radix, long least, long most) throws IOException {
    String text = read(file);
    try {
      long number = Long.parseLong(text, radix);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message that says what the file holds.
    }
    throw new IOException(file + " holds '" + text + "', not what resctrl promises");
  }

  private Path info(String name) {
    return root.resolve("info/L3").resolve(name);
  }

  private Path schemata() {
    return group.resolve("schemata");
  }

  private static Path tasks(Path group) {
    return group.resolve("tasks");
  }

  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }

  private void write(Path file, String text, StandardOpenOption how) throws IOException {
    try {
      Files.writeString(file, text, StandardOpenOption.WRITE, how);
    } catch (IOException e) {
      throw new IOException(
          "cannot write %s into %s: %s%s".formatted(text.strip(), file, e, lastStatus()), e);
    }
  }

  /** What the kernel has to say of the last command, if that is more than nothing. */
  private String lastStatus() {
    try {
      String status = Files.readString(root.resolve("info/last_cmd_status")).strip();
      return status.equals("ok") ? "" : "; resctrl says: " + status;
    } catch (IOException e) {
      return "";
    }
  }
}
