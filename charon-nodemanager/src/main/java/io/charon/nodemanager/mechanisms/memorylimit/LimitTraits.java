/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import java.util.OptionalInt;

/**
 * The properties of best-effort's cgroups, existing and wanted.
 *
 * @param swappiness swappiness of the cgroups, if each has its own; otherwise empty
 * @param limitsSwap whether memory and swap together stay within the limit; otherwise swap is not
 *     limited
 * @param dirtyPercent share of the limit that dirty pages may take, percent, 1 to 100; empty for no
 *     limit
 */
record LimitTraits(OptionalInt swappiness, boolean limitsSwap, OptionalInt dirtyPercent) {

  /** Returns the properties for a node on which no kernel enforces the limit. */
  static LimitTraits notEnforced() {
    return new LimitTraits(OptionalInt.empty(), false, OptionalInt.empty());
  }
}
