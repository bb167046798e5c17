/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * What a node has.
 *
 * @param memoryBytes memory for containers, at least 1
 * @param cores processor cores; not whole if others share them, positive
 * @param swapBytes swap space, 0 or more; when it is full too, Linux's own OOM killer acts
 * @param lowWatermarkBytes free memory below which Linux reclaims, 0 or more; so much page cache at
 *     most does not count as available
 */
public record NodeSize(long memoryBytes, double cores, long swapBytes, long lowWatermarkBytes) {
  /** Checks the ranges. */
  public NodeSize {
    if (memoryBytes < 1 || !(cores > 0) || swapBytes < 0 || lowWatermarkBytes < 0) {
      throw new IllegalArgumentException(
          "a node needs memory, cores and no negative swap or watermark, got %d, %s, %d, %d"
              .formatted(memoryBytes, cores, swapBytes, lowWatermarkBytes));
    }
  }

  /** A node with the watermark that Linux gives to so much memory. */
  public NodeSize(long memoryBytes, double cores, long swapBytes) {
    this(memoryBytes, cores, swapBytes, lowWatermarkOf(memoryBytes));
  }

  /**
   * Linux's low watermark with its default keys, all zones together (mm/page_alloc.c): {@code
   * min_free_kbytes} is four times the root of the memory in kB, within 128 kB and 256 MB; the low
   * one is above it by a quarter of it or {@code watermark_scale_factor}, a thousandth of the
   * memory, whichever is more. 128 GB have 176 MiB.
   */
  private static long lowWatermarkOf(long memoryBytes) {
    long minKilobytes =
        Math.max(128, Math.min(262_144, (long) Math.sqrt(16.0 * (memoryBytes >> 10))));
    return (minKilobytes << 10) + Math.max(minKilobytes << 8, memoryBytes / 1000);
  }

  /** Cores as YARN counts them: whole. */
  public int virtualCores() {
    return (int) Math.ceil(cores);
  }
}
