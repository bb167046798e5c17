/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The CPU quota of one cgroup and everything below it: a fixed amount of CPU time per period, which
 * cannot be exceeded even if the machine is idle (CFS bandwidth control).
 */
public final class CpuBandwidth {
  /** Smallest quota that the kernel accepts, in microseconds; it refuses smaller ones (EINVAL). */
  public static final long MIN_QUOTA_MICROS = 1000;

  private final Path cgroup;
  private final CgroupVersion version;
  private final Writer writer;

  /** Writes a value into a file; the kernel may refuse it. */
  @FunctionalInterface
  interface Writer {
    /** Writes as {@link CgroupDirectories#write} does. */
    void write(Path file, String value) throws IOException;
  }

  /**
   * Creates the quota of a cgroup, without touching the cgroup.
   *
   * @param cgroup its directory in the hierarchy with the cpu controller
   * @param version the version whose file names it uses
   */
  public CpuBandwidth(Path cgroup, CgroupVersion version) {
    this(cgroup, version, CgroupDirectories::write);
  }

  /** Creates the quota with another writer; visible for tests. */
  CpuBandwidth(Path cgroup, CgroupVersion version, Writer writer) {
    this.cgroup = cgroup;
    this.version = version;
    this.writer = writer;
  }

  /** Returns the file that holds the quota. */
  public Path file() {
    return CgroupFile.CPU_QUOTA.path(cgroup, version);
  }

  /**
   * Limits the cgroup. Values below the kernel's minimum, 1 ms per period, are raised to it.
   *
   * @param cores CPU seconds per second, at least 0
   * @return the value now in force, as file=value
   * @throws IOException naming the file; the previous value then stays in force
   */
  public String limit(double cores) throws IOException {
    long period = periodMicros();
    long quota = Math.max(MIN_QUOTA_MICROS, Math.round(cores * period));
    String value = withPeriod(Long.toString(quota), period);
    if (!quota().equals(Long.toString(quota))) {
      write(value);
    }
    return file().getFileName() + "=" + value;
  }

  /**
   * Removes the limit if there is one; does nothing if the cgroup is gone.
   *
   * @throws IOException naming the file and how to remove the limit by hand
   */
  public void unlimit() throws IOException {
    if (!Files.exists(file())) {
      return;
    }
    String unlimited = unlimited();
    try {
      if (!quota().equals(unlimited)) {
        write(withPeriod(unlimited, periodMicros()));
      }
    } catch (IOException e) {
      throw new IOException(
          "the CPU quota may still be in force: %s; to remove it: echo %s > %s"
              .formatted(e.getMessage(), unlimited, file()),
          e);
    }
  }

  /**
   * Returns the bandwidth that a share would be with the cgroup's current period and burst, whether
   * or not it has a quota.
   *
   * @param cores CPU seconds per second, at least 0
   * @throws IOException naming the file that cannot be read
   */
  public Bandwidth of(double cores) throws IOException {
    long period = periodMicros();
    long quota = Math.max(MIN_QUOTA_MICROS, Math.round(cores * period));
    return new Bandwidth(quota, period, Math.min(burstMicros(), quota));
  }

  private long burstMicros() throws IOException {
    if (!Files.exists(burstFile())) {
      return 0;
    }
    String burst = words(burstFile()).get(0);
    try {
      return Long.parseLong(burst);
    } catch (NumberFormatException e) {
      throw new IOException(burstFile() + " holds '" + burst + "', which is not a burst", e);
    }
  }

  /**
   * Removes the quota and restores the period and the burst, which have no effect without a quota;
   * does nothing if the cgroup is gone.
   *
   * @param periodMicros the period before the quota was set
   * @param burstMicros the burst before the quota was set
   * @throws IOException naming the file and how to remove the limit by hand
   */
  public void unlimit(long periodMicros, long burstMicros) throws IOException {
    if (!Files.exists(file())) {
      return;
    }
    // With a quota the kernel refuses a burst above the quota; without one it accepts every burst.
    if (Files.exists(burstFile()) && burstMicros() > burstMicros) {
      writer.write(burstFile(), Long.toString(burstMicros));
    }
    unlimit();
    if (periodMicros() != periodMicros) {
      Optional<Path> period = CgroupFile.CPU_PERIOD.in(cgroup, version);
      writer.write(
          period.orElse(file()),
          period.isPresent() ? Long.toString(periodMicros) : withPeriod(unlimited(), periodMicros));
    }
    if (Files.exists(burstFile()) && burstMicros() < burstMicros) {
      writer.write(burstFile(), Long.toString(burstMicros));
    }
  }

  /**
   * Returns the current bandwidth.
   *
   * @return empty if the cgroup has no quota or is gone
   * @throws IOException naming the file that cannot be read
   */
  public Optional<Bandwidth> read() throws IOException {
    try (BandwidthFiles files = new BandwidthFiles(cgroup, version)) {
      return files.read();
    }
  }

  /**
   * Changes quota, period and burst. While the values are written, the burst never exceeds the
   * quota, which the kernel would refuse. The share never exceeds the larger of its old and new
   * values, because version 1 refuses a share above the parent's.
   *
   * @param seen the current bandwidth
   * @param wanted the bandwidth when this method returns
   * @return the values written, as file=value
   * @throws IOException naming the file; the burst may then be smaller than both values, the share
   *     is one of the two
   */
  public String change(Bandwidth seen, Bandwidth wanted) throws IOException {
    StringJoiner written = new StringJoiner(" ");
    if (wanted.burstMicros() < seen.burstMicros()) {
      write(burstFile(), Long.toString(wanted.burstMicros()), written);
    }
    if (version == CgroupVersion.V2) {
      if (wanted.quotaMicros() != seen.quotaMicros()
          || wanted.periodMicros() != seen.periodMicros()) {
        write(file(), wanted.quotaMicros() + " " + wanted.periodMicros(), written);
      }
    } else if (wanted.periodMicros() > seen.periodMicros()) {
      writePeriod(wanted.periodMicros(), written);
      try {
        writeQuota(wanted.quotaMicros(), written);
      } catch (IOException e) {
        writePeriod(
            seen.periodMicros(),
            written); // otherwise the cgroup would keep a fraction of its share
        throw e;
      }
    } else {
      if (wanted.quotaMicros() != seen.quotaMicros()) {
        writeQuota(wanted.quotaMicros(), written);
      }
      if (wanted.periodMicros() != seen.periodMicros()) {
        writePeriod(wanted.periodMicros(), written);
      }
    }
    if (wanted.burstMicros() > seen.burstMicros()) {
      write(burstFile(), Long.toString(wanted.burstMicros()), written);
    }
    return written.toString();
  }

  private void writePeriod(long micros, StringJoiner written) throws IOException {
    write(CgroupFile.CPU_PERIOD.path(cgroup, version), Long.toString(micros), written);
  }

  private void writeQuota(long micros, StringJoiner written) throws IOException {
    write(file(), Long.toString(micros), written);
  }

  private void write(Path file, String value, StringJoiner written) throws IOException {
    try {
      writer.write(file, value);
      written.add(file.getFileName() + "=" + value);
    } catch (IOException e) {
      throw new IOException(
          "cannot write %s into %s: %s%s"
              .formatted(
                  value, file, e, written.length() == 0 ? "" : "; already written: " + written),
          e);
    }
  }

  /**
   * Tests which bursts the kernel accepts, with an empty cgroup that it creates and removes.
   *
   * @param probe a path at which no cgroup exists yet
   * @param version the version of that hierarchy
   */
  public static Burst probe(Path probe, CgroupVersion version) {
    return probe(probe, version, CgroupDirectories::write);
  }

  static Burst probe(Path probe, CgroupVersion version, Writer writer) {
    CpuBandwidth cgroup = new CpuBandwidth(probe, version, writer);
    try {
      CgroupDirectories.create(probe);
      writer.write(cgroup.file(), cgroup.withPeriod(Long.toString(MIN_QUOTA_MICROS), 100_000));
      if (!Files.exists(cgroup.burstFile())) {
        return Burst.NONE;
      }
      if (cgroup.takesBurst(10 * MIN_QUOTA_MICROS)) {
        return Burst.BEYOND_QUOTA;
      }
      return cgroup.takesBurst(MIN_QUOTA_MICROS) ? Burst.UP_TO_QUOTA : Burst.NONE;
    } catch (IOException e) {
      return Burst.UP_TO_QUOTA; // what Linux allows; later failures are reported where they occur
    } finally {
      boolean unused = CgroupDirectories.removeOne(probe);
    }
  }

  private boolean takesBurst(long micros) {
    try {
      writer.write(burstFile(), Long.toString(micros));
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private Path burstFile() {
    return CgroupFile.CPU_BURST.path(cgroup, version);
  }

  private String unlimited() {
    return BandwidthFiles.unlimited(version);
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
      // Falls through to the exception that reports the content of the file.
    }
    throw new IOException(file + " holds '" + String.join(" ", words) + "', which is not a period");
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

  /** Returns why a quota cannot be set here, with the cure; empty if it can. */
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
