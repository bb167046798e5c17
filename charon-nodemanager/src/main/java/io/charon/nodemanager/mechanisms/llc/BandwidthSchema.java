/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.law.bandwidth.BandwidthLaw;
import io.charon.core.law.bandwidth.BandwidthLaw.Allowed;
import io.charon.core.mechanism.Action;
import io.charon.nodemanager.execution.Actuator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Limits the memory bandwidth of best-effort by the line MB of its group, for each socket
 * separately. The value of a group without a limit tells the kernel's unit: 100 means percent
 * (Intel; the kernel rounds up to steps of {@code bandwidth_gran}), other values up to 65,536 mean
 * eighths of a gigabyte per second (AMD), and larger ones MiB per second ({@code mount -o
 * mba_MBps}). Each time a limit is applied, the group's threads become those of best-effort.
 */
final class BandwidthSchema implements Actuator {
  private static final long PERCENT = 100;
  private static final long MAX_EIGHTHS = 65_536;
  private static final long MAX = (1L << 32) - 1;
  private static final double EIGHTH_GIGABYTE = 125e6;
  private static final double MEBIBYTE = 1 << 20;

  private final ResctrlGroup group;
  private final GroupThreads threads;
  private final Supplier<SortedMap<Integer, Allowed>> allowed;
  private SortedMap<Integer, String> set = new TreeMap<>();

  /**
   * Creates the actuator without limiting anything.
   *
   * @param group the group of best-effort
   * @param threads keeps best-effort's threads in the group
   * @param allowed the share of each socket's bandwidth that best-effort may use now
   */
  BandwidthSchema(
      ResctrlGroup group, GroupThreads threads, Supplier<SortedMap<Integer, Allowed>> allowed) {
    this.group = group;
    this.threads = threads;
    this.allowed = allowed;
  }

  /** Returns why the processor cannot limit bandwidth, with the cure; empty if it can. */
  static Optional<String> unavailable(ResctrlGroup group) {
    Path file = group.files().info(ResctrlFiles.BANDWIDTH, "min_bandwidth");
    return Files.exists(file)
        ? Optional.empty()
        : Optional.of(
            file
                + " does not exist: the processor needs memory bandwidth allocation (flag mba in"
                + " /proc/cpuinfo), and resctrl must be mounted (mount -t resctrl resctrl"
                + " /sys/fs/resctrl)");
  }

  @Override
  public Optional<String> unavailable() {
    return unavailable(group).or(group::cannotReceive);
  }

  @Override
  public String apply(Action.SetLimit wanted) throws IOException {
    SortedMap<Integer, String> lines = wanted();
    String done = set(lines);
    set = lines;
    String moved = threads.follow();
    boolean unknown = wanted.amount() < wanted.capacity() && lines.equals(unlimited());
    return String.format(
        Locale.ROOT,
        "%s, %s%s",
        done,
        moved,
        unknown
            ? "; no limit while the highest bandwidth is unknown: set"
                + " yarn.nodemanager.charon.memory-bandwidth.peak-mbps"
            : "");
  }

  /** Returns the wanted value for each socket that the kernel knows. */
  private SortedMap<Integer, String> wanted() throws IOException {
    SortedMap<Integer, String> lines = new TreeMap<>();
    for (Map.Entry<Integer, String> all : unlimited().entrySet()) {
      Optional<Allowed> one = Optional.ofNullable(allowed.get().get(all.getKey()));
      lines.put(all.getKey(), one.isPresent() ? value(one.get(), all.getValue()) : all.getValue());
    }
    return lines;
  }

  private String value(Allowed one, String unlimited) throws IOException {
    if (one.share() >= BandwidthLaw.ALL) {
      return unlimited;
    }
    long all = number(unlimited);
    long least = Math.max(1, info("min_bandwidth", 0)); // AMD says 0
    if (all == PERCENT) {
      long step = info("bandwidth_gran", 1);
      return Long.toString(
          Math.max(least, Math.min(all, step * Math.round(all * one.share() / step))));
    }
    if (one.peak().isEmpty()) {
      // A share of an unknown bandwidth cannot be expressed as a rate.
      return unlimited;
    }
    double unit = all <= MAX_EIGHTHS ? EIGHTH_GIGABYTE : MEBIBYTE;
    return Long.toString(
        Math.max(least, Math.min(all, Math.round(one.peak().getAsDouble() * one.share() / unit))));
  }

  private long info(String name, long least) throws IOException {
    return ResctrlFiles.number(group.files().info(ResctrlFiles.BANDWIDTH, name), 10, least, MAX);
  }

  private long number(String value) throws IOException {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException(
          ResctrlFiles.schemata(group.files().root())
              + " holds '"
              + value
              + "', which is not a bandwidth",
          e);
    }
  }

  /** Returns the values of the default group, which is not limited here. */
  private SortedMap<Integer, String> unlimited() throws IOException {
    return group.files().schema(group.files().root(), ResctrlFiles.BANDWIDTH);
  }

  private String set(SortedMap<Integer, String> lines) throws IOException {
    return group.files().schema(group.files().group(), ResctrlFiles.BANDWIDTH).equals(lines)
        ? ResctrlFiles.line(ResctrlFiles.BANDWIDTH, lines)
        : group.files().set(ResctrlFiles.BANDWIDTH, lines);
  }

  /**
   * Returns false if a socket needs another value, even if the share of all sockets is unchanged,
   * or if a container was promoted.
   */
  @Override
  public boolean holds() {
    try {
      return threads.holds() && set.equals(wanted());
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void undo() throws IOException {
    set = new TreeMap<>();
    if (!group.exists() || unavailable(group).isPresent()) {
      return;
    }
    try {
      set(unlimited());
      threads.release();
    } catch (IOException e) {
      throw new IOException(
          "best-effort's memory bandwidth may still be limited: %s; to remove the limit, remove the group's directory as root (rmdir), which moves its tasks to the default group"
              .formatted(e.getMessage()),
          e);
    }
  }
}
