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
 * The CPU quota of one cgroup, with everything below it: so much CPU time in each period, and not a
 * microsecond more, however idle the machine is (CFS bandwidth control).
 */
public final class CpuBandwidth {
  /** The kernel's least: a smaller quota is refused (EINVAL). */
  private static final long MIN_QUOTA_MICROS = 1000;

  private static final String V1_UNLIMITED = "-1";
  private static final String V2_UNLIMITED = "max";

  private final Path cgroup;
  private final CgroupVersion version;
  private final Writer writer;

  /** Writes a value into a file; a kernel refuses some. */
  @FunctionalInterface
  interface Writer {
    /** As of {@link CgroupDirectories#write}. */
    void write(Path file, String value) throws IOException;
  }

  /**
   * The quota of a cgroup; nothing is touched yet.
   *
   * @param cgroup its directory in the hierarchy with the cpu controller
   * @param version whose files it has
   */
  public CpuBandwidth(Path cgroup, CgroupVersion version) {
    this(cgroup, version, CgroupDirectories::write);
  }

  /** The same with another kernel; visible for tests. */
  CpuBandwidth(Path cgroup, CgroupVersion version, Writer writer) {
    this.cgroup = cgroup;
    this.version = version;
    this.writer = writer;
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
    long quota = Math.max(MIN_QUOTA_MICROS, Math.round(cores * period));
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
    String unlimited = unlimited();
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

  /**
   * What a share would be in the portions that the cgroup has, with quota or without.
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
      throw new IOException(burstFile() + " holds '" + burst + "', not a burst", e);
    }
  }

  /**
   * Takes the quota away, and gives the cgroup portions that have no effect without one; a cgroup
   * that is gone has none.
   *
   * @param periodMicros as it was before the quota
   * @param burstMicros as it was before the quota
   * @throws IOException naming the file and how to do it by hand
   */
  public void unlimit(long periodMicros, long burstMicros) throws IOException {
    if (!Files.exists(file())) {
      return;
    }
    // With a quota a burst above it is refused; without one every burst is taken.
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
   * What the cgroup has.
   *
   * @return empty if it has no quota, or is gone
   * @throws IOException naming the file that cannot be read
   */
  public Optional<Bandwidth> read() throws IOException {
    Optional<String> quota = CgroupDirectories.readIfPresent(file());
    if (quota.isEmpty() || quota.get().startsWith(unlimited())) {
      return Optional.empty();
    }
    Optional<String> period =
        version == CgroupVersion.V1
            ? CgroupDirectories.readIfPresent(CgroupFile.CPU_PERIOD.path(cgroup, version))
            : quota;
    Optional<String> burst = CgroupDirectories.readIfPresent(burstFile());
    if (period.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Bandwidth(
              Long.parseLong(word(quota.get(), 0)),
              Long.parseLong(word(period.get(), version == CgroupVersion.V1 ? 0 : 1)),
              Long.parseLong(burst.orElse("0"))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException(
          "%s holds '%s', period '%s', burst '%s'"
              .formatted(file(), quota.get(), period.get(), burst.orElse("")),
          e);
    }
  }

  /**
   * Gives the cgroup other portions. A burst never exceeds the quota meanwhile, and the share never
   * what it was before and is afterwards: the kernel refuses the one, version 1 a share above the
   * parent's.
   *
   * @param seen what it has
   * @param wanted what it has when this returns
   * @return what was written, as file=value
   * @throws IOException naming the file; the burst may then be smaller than both, the share is one
   *     of both
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
        writePeriod(seen.periodMicros(), written); // or it would have a fraction of its share
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
              .formatted(value, file, e, written.length() == 0 ? "" : "; it has " + written),
          e);
    }
  }

  /**
   * Asks the kernel how far a cgroup may save up, by an empty one that it makes and removes.
   *
   * @param probe where there is no cgroup yet
   * @param version of that hierarchy
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
      return Burst.UP_TO_QUOTA; // what Linux has; what does not work is said where it is tried
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
    return version == CgroupVersion.V1 ? V1_UNLIMITED : V2_UNLIMITED;
  }

  private static String word(String text, int number) {
    return List.of(text.split("\\s+", -1)).get(number);
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
