/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what the kernel reports about itself.
 *
 * @param proc mount point of procfs, {@code /proc} outside tests
 * @param sys mount point of sysfs, {@code /sys} outside tests
 */
record KernelFiles(Path proc, Path sys) {
  static final int CAP_NET_ADMIN = 12;
  static final int CAP_SYS_ADMIN = 21;
  static final int CAP_PERFMON = 38;
  static final int CAP_BPF = 39;

  private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");
  private static final int VERSION_FACTOR = 10_000;

  /**
   * The content without surrounding whitespace; empty if the file is missing or cannot be read.
   * What is not UTF-8, as a name can be, is replaced.
   */
  Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The mounts that this process sees, but for those whose names the character set of its locale
   * does not have; none if they cannot be read.
   */
  List<Mount> mounts() {
    List<Mount> mounts = new ArrayList<>();
    for (String line : read(proc.resolve("self/mounts")).orElse("").split("\n", -1)) {
      String[] fields = line.split(" ", -1);
      if (fields.length >= 4) {
        // The kernel writes a space in a path as \040.
        path(fields[1].replace("\\040", " "))
            .ifPresent(
                point -> mounts.add(new Mount(fields[2], point, Set.of(distinct(fields[3])))));
      }
    }
    return mounts;
  }

  private static Optional<Path> path(String name) {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static String[] distinct(String options) {
    return Arrays.stream(options.split(",", -1)).distinct().toArray(String[]::new);
  }

  /** Returns a kernel release as a number that is larger for later releases. */
  static int release(int version, int patchlevel) {
    return version * VERSION_FACTOR + patchlevel;
  }

  /** Returns this kernel's release as {@link #release(int, int)} does, 0 if it is unknown. */
  int release() {
    Matcher numbers = RELEASE.matcher(read(proc.resolve("sys/kernel/osrelease")).orElse(""));
    return numbers.matches()
        ? release(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
        : 0;
  }

  /** Whether this process holds a capability, by its number in capabilities(7). */
  boolean hasCapability(int number) {
    return field(proc.resolve("self/status"), "CapEff:")
        .filter(mask -> mask.matches("[0-9a-f]{1,16}"))
        .map(mask -> (Long.parseUnsignedLong(mask, 16) & (1L << number)) != 0)
        .orElse(false);
  }

  /** A value of {@code /proc/meminfo}, in bytes. */
  OptionalLong memoryBytes(String name) {
    return field(proc.resolve("meminfo"), name + ":")
        .filter(value -> value.matches("\\d{1,15}"))
        .map(value -> OptionalLong.of(Long.parseLong(value) * 1024))
        .orElse(OptionalLong.empty());
  }

  /** The first word after a label at the start of a line. */
  private Optional<String> field(Path file, String label) {
    return read(file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()).strip().split("\\s+", -1)[0])
        .findFirst();
  }
}
