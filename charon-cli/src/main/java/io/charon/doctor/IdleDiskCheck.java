/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks which disks serve best-effort only while no other process uses them: the idle I/O class
 * needs a scheduler that supports classes.
 */
final class IdleDiskCheck implements Check {
  private static final String NAME = "idle disk";
  private static final Set<String> WITH_CLASSES = Set.of("mq-deadline", "bfq");

  /** Devices that are memory, or that consist of other disks. */
  private static final Pattern NOT_A_PHYSICAL_DISK =
      Pattern.compile("(?:loop|ram|zram|dm-|md|sr)\\d.*");

  private static final Pattern CHOSEN = Pattern.compile("\\[([^\\]]*)\\]");

  private final KernelFiles kernel;
  private final Path sys;
  private final ProgramFinder finder;
  private final YarnSite site;

  IdleDiskCheck(KernelFiles kernel, Path sys, ProgramFinder finder, YarnSite site) {
    this.kernel = kernel;
    this.sys = sys;
    this.finder = finder;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    boolean off;
    try {
      off = site.get(SettingsReader.IDLE_DISK).orElse("").equals("false");
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    if (off) {
      return CheckResult.ok(
          NAME,
          SettingsReader.IDLE_DISK
              + " is false: best-effort has the same disk priority as other processes");
    }
    if (finder.find("ionice").isEmpty()) {
      return CheckResult.degraded(
          NAME,
          "ionice is not installed: best-effort has the same disk priority as other processes",
          "install util-linux");
    }
    List<Path> disks = disks();
    String without =
        disks.stream()
            .filter(disk -> !WITH_CLASSES.contains(scheduler(disk)))
            .map(disk -> disk.getFileName() + " (" + scheduler(disk) + ")")
            .collect(Collectors.joining(", "));
    if (without.isEmpty()) {
      return CheckResult.ok(NAME, "every disk has mq-deadline or bfq");
    }
    return CheckResult.ok(
        NAME,
        without
            + " serves all processes alike: only mq-deadline and bfq support the idle I/O class");
  }

  private List<Path> disks() {
    try (Stream<Path> listed = Files.list(sys.resolve("block"))) {
      return listed
          .filter(disk -> !NOT_A_PHYSICAL_DISK.matcher(disk.getFileName().toString()).matches())
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException noneToBeSeen) {
      return List.of();
    }
  }

  private String scheduler(Path disk) {
    return kernel
        .read(disk.resolve("queue/scheduler"))
        .map(CHOSEN::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .orElse("no scheduler");
  }
}
