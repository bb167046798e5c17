/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the settings that an adopted cgroup of a container supports. A value that cannot be set
 * stays as it was found; each cause is logged once and counted. Thread-safe.
 */
public final class AdoptedSettings {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSettings.class);

  private final WarningOnce warnings = new WarningOnce(LOG);

  /** A CPU weight. */
  public enum Weight {
    /** The weight that was found. */
    AS_FOUND,

    /**
     * The smallest weight. {@code cpu.idle} is not used: while it is set, the kernel refuses the
     * weights that YARN writes when it changes a container, and YARN then spends seconds on
     * removing the cgroup.
     */
    MIN,

    /** The kernel's default weight. */
    FULL
  }

  /**
   * The values that a container's cgroups should have.
   *
   * @param weight CPU weight
   * @param swappiness memory.swappiness on cgroup v1, 0 to 100; empty: as found
   * @param protectedBytes memory.min in bytes on cgroup v2, effective only as far as the parents
   *     have some; empty: as found
   */
  public record CgroupValues(Weight weight, OptionalInt swappiness, OptionalLong protectedBytes) {}

  /**
   * Writes the values that differ from the current ones.
   *
   * @return whether none failed
   */
  public boolean set(AdoptedCgroup cgroup, CgroupValues wanted) {
    boolean complete = true;
    if (wanted.weight() != Weight.AS_FOUND) {
      complete =
          set(
              cgroup,
              CgroupController.CPU,
              CgroupFile.CPU_WEIGHT,
              version ->
                  wanted.weight() == Weight.MIN
                      ? version == CgroupVersion.V1 ? "2" : "1"
                      : version == CgroupVersion.V1 ? "1024" : "100");
    }
    if (wanted.swappiness().isPresent()) {
      String value = Integer.toString(wanted.swappiness().getAsInt());
      complete &= set(cgroup, CgroupController.MEMORY, CgroupFile.SWAPPINESS, version -> value);
    }
    if (wanted.protectedBytes().isPresent()) {
      String bytes = Long.toString(wanted.protectedBytes().getAsLong());
      complete &= set(cgroup, CgroupController.MEMORY, CgroupFile.MEMORY_MIN, version -> bytes);
    }
    return complete;
  }

  private interface Value {
    String of(CgroupVersion version);
  }

  private boolean set(
      AdoptedCgroup cgroup, CgroupController controller, CgroupFile what, Value wanted) {
    Optional<Map.Entry<CgroupHierarchy, Path>> place = cgroup.directory(controller);
    if (place.isEmpty()) {
      return true;
    }
    CgroupVersion version = place.get().getKey().version();
    Optional<Path> file = what.in(place.get().getValue(), version);
    return file.isEmpty() || write(file.get(), wanted.of(version));
  }

  private boolean write(Path file, String value) {
    try {
      if (!CgroupDirectories.read(file).equals(value)) {
        CgroupDirectories.write(file, value);
      }
      return true;
    } catch (IOException e) {
      if (!Files.isDirectory(file.getParent())) {
        return true; // its container has ended
      }
      warnings.warn(
          file.getFileName().toString(),
          "cannot write " + value + " into " + file + ": " + e + "; left unchanged");
      return false;
    }
  }

  /** Returns how many settings failed so far. */
  public long warnings() {
    return warnings.counts().values().stream().mapToLong(Long::longValue).sum();
  }
}
