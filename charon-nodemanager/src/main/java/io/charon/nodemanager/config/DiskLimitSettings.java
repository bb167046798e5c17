/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.disklimit.ReadShare;

/**
 * Settings for limiting the reads of best-effort while production refills its page cache.
 *
 * @param mode what the mechanism may do
 * @param share share of the disk's speed that best-effort may read meanwhile
 */
public record DiskLimitSettings(RegulatorMode mode, ReadShare share) {
  public static final String MODE = "yarn.nodemanager.charon.disk-limit.mode";

  /** Reads the settings; without cgroups the mode is off. */
  public static DiskLimitSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new DiskLimitSettings(
        keys.mode(MODE, mode, cgroups),
        new ReadShare(keys.number("yarn.nodemanager.charon.disk-limit.share-percent", 1, 100)));
  }
}
