/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The CPU quota of one cgroup, with everything below it: so much CPU time in each period, and not a
 * microsecond more, however idle the machine is (CFS bandwidth control).
 */
public final class CpuBandwidth {
  /** The kernel's least: a smaller quota is refused (EINVAL). */
  private static final long LEAST_QUOTA_MICROS = 1000;

  private static final String V1_UNLIMITED = "-1";
  private static final String V2_UNLIMITED = "max";

  private final Path cgroup;
  private final CgroupVersion version;

  /**
   * The quota of a cgroup; nothing is touched yet.
   *
   * @param cgroup its directory in the hierarchy with the cpu controller
   * @param version whose files it has
   */
  public CpuBandwidth(Path cgroup, CgroupVersion version) {
    this.cgroup = cgroup;
    this.version = version;
  }

  /** The file that holds the quota. */
  public Path file() {
    return CgroupFile.CPU_QUOTA.path(cgroup, version);
  }

  /**
   * Limits the cgroup. What is less than the kernel can do, 1 ms in each period, becomes that.
   *
   * @param cores CPU seconds per second, at least 0
   * @return what holds now, as file=value
   * @throws IOException naming the file; what held before holds still
   */
  public String limit(double cores) throws IOException {
    long period = periodMicros();
    long quota = Math.max(LEAST_QUOTA_MICROS, Math.round(cores * period));
    String value = withPeriod(Long.toString(quota), period);
    if (!quota().equals(Long.toString(quota))) {
      write(value);
    }
    return file().getFileName() + "=" + value;
  }

  /**
   * Takes the limit away, if there is one; a cgroup that is gone has none.
   *
   * @throws IOException naming the file and how to do it by hand
   */
  public void unlimit() throws IOException {
    if (!Files.exists(file())) {
      return;
    }
    String unlimited = version == CgroupVersion.V1 ? V1_UNLIMITED : V2_UNLIMITED;
    try {
      if (!quota().equals(unlimited)) {
        write(withPeriod(unlimited, periodMicros()));
      }
    } catch (IOException e) {
      throw new IOException(
          "the CPU quota may still hold: %s; by hand: echo %s > %s"
              .formatted(e.getMessage(), unlimited, file()),
          e);
    }
  }

  private String withPeriod(String quota, long period) {
    return version == CgroupVersion.V2 ? quota + " " + period : quota;
  }

  private String quota() throws IOException {
    return words(file()).get(0);
  }

  private long periodMicros() throws IOException {
    Path file = CgroupFile.CPU_PERIOD.in(cgroup, version).orElse(file());
    List<String> words = words(file);
    String period = words.get(words.size() - 1);
    try {
      long micros = Long.parseLong(period);
      if (micros > 0) {
        return micros;
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message that says what the file holds.
    }
    throw new IOException(file + " holds '" + String.join(" ", words) + "', not a period");
  }

  private static List<String> words(Path file) throws IOException {
    try {
      return List.of(CgroupDirectories.read(file).split("\\s+", -1));
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }

  private void write(String quota) throws IOException {
    try {
      CgroupDirectories.write(file(), quota);
    } catch (IOException e) {
      throw new IOException("cannot write " + quota + " into " + file() + ": " + e, e);
    }
  }

  /** Why there is no quota here, with the cure; empty if there is. */
  public Optional<String> unavailable() {
    if (!Files.exists(file())) {
      return Optional.of(
          file() + " does not exist: the kernel needs CONFIG_CFS_BANDWIDTH and the cpu controller");
    }
    return Files.isWritable(file())
        ? Optional.empty()
        : Optional.of(file() + " cannot be written: chown the cgroup to the NodeManager's user");
  }
}
