/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import java.util.OptionalInt;

/**
 * How best-effort's cgroups are, and are to be.
 *
 * @param growsIntoExcess whether the kernel takes production's excess first when memory is short
 * @param swappiness of its cgroups, where each has its own; else empty
 * @param limitsSwap whether its memory and what it has in swap together stay within the limit
 * @param dirtyPercent what of the limit its dirty pages may take, 1 to 100; empty: as much as they
 *     like
 */
record LimitTraits(
    boolean growsIntoExcess, OptionalInt swappiness, boolean limitsSwap, OptionalInt dirtyPercent) {

  /** Where no kernel keeps the limit. */
  static LimitTraits ofNobody() {
    return new LimitTraits(false, OptionalInt.empty(), false, OptionalInt.empty());
  }
}
