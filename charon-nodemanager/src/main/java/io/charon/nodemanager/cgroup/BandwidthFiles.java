/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the CPU quota of one cgroup again and again; its files stay open until it is closed. */
public final class BandwidthFiles implements Closeable {
  private static final String V1_UNLIMITED = "-1";
  private static final String V2_UNLIMITED = "max";

  private final CgroupVersion version;
  private final Path quotaPath;
  private final PseudoFile quotaFile;
  private final Optional<PseudoFile> periodFile;
  private final PseudoFile burstFile;

  /**
   * Creates the files of a cgroup, without touching the cgroup.
   *
   * @param cgroup its directory in the hierarchy with the cpu controller
   * @param version the version whose file names it uses
   */
  public BandwidthFiles(Path cgroup, CgroupVersion version) {
    this.version = version;
    this.quotaPath = CgroupFile.CPU_QUOTA.path(cgroup, version);
    this.quotaFile = new PseudoFile(quotaPath);
    this.periodFile = CgroupFile.CPU_PERIOD.in(cgroup, version).map(PseudoFile::new);
    this.burstFile = new PseudoFile(CgroupFile.CPU_BURST.path(cgroup, version));
  }

  /**
   * Returns the current bandwidth.
   *
   * @return empty if the cgroup has no quota or is gone
   * @throws IOException naming the file that cannot be read
   */
  public Optional<Bandwidth> read() throws IOException {
    if (!isThere(quotaFile) || quotaFile.startsWith(unlimited(version))) {
      return Optional.empty();
    }
    Optional<String> quota = Optional.of(quotaFile.content().strip());
    Optional<String> period = periodFile.isPresent() ? text(periodFile.get()) : quota;
    Optional<String> burst = text(burstFile);
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
          "%s holds an unknown value '%s', period '%s', burst '%s'"
              .formatted(quotaPath, quota.get(), period.get(), burst.orElse("")),
          e);
    }
  }

  /** Returns the word with which the kernel says that there is no quota. */
  static String unlimited(CgroupVersion version) {
    return version == CgroupVersion.V1 ? V1_UNLIMITED : V2_UNLIMITED;
  }

  /** Returns the content of a file; empty if the cgroup is gone, or the kernel has no such file. */
  private static Optional<String> text(PseudoFile file) throws IOException {
    return isThere(file) ? Optional.of(file.content().strip()) : Optional.empty();
  }

  /** Reads a file, and returns whether it exists. */
  private static boolean isThere(PseudoFile file) throws IOException {
    try {
      file.read();
      return true;
    } catch (IOException e) {
      if (Files.exists(Path.of(file.toString()))) {
        throw e;
      }
      return false;
    }
  }

  private static String word(String text, int number) {
    return List.of(text.split(" ", -1)).get(number); // one character needs no regular expression
  }

  @Override
  public void close() throws IOException {
    quotaFile.close();
    if (periodFile.isPresent()) {
      periodFile.get().close();
    }
    burstFile.close();
  }
}
