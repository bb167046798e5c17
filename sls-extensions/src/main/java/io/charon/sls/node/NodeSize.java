/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * The size of a node.
 *
 * @param memoryBytes memory for containers, at least 1
 * @param cores processor cores, positive; not whole if others share them
 * @param swapBytes swap space, 0 or more; when it is full as well, Linux's own OOM killer acts
 * @param lowWatermarkBytes free memory below which Linux reclaims, 0 or more; at most this amount
 *     of page cache does not count as available
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

  /** Creates a node with Linux's default watermark for its memory. */
  public NodeSize(long memoryBytes, double cores, long swapBytes) {
    this(memoryBytes, cores, swapBytes, lowWatermarkOf(memoryBytes));
  }

  /**
   * Returns Linux's low watermark with its default settings, over all zones (mm/page_alloc.c).
   * {@code min_free_kbytes} is four times the square root of the memory in kB, within 128 kB and
   * 256 MB. The low watermark is higher by a quarter of that or by {@code watermark_scale_factor},
   * a thousandth of the memory, whichever is more. For 128 GB it is 176 MiB.
   */
  private static long lowWatermarkOf(long memoryBytes) {
    long minKilobytes =
        Math.max(128, Math.min(262_144, (long) Math.sqrt(16.0 * (memoryBytes >> 10))));
    return (minKilobytes << 10) + Math.max(minKilobytes << 8, memoryBytes / 1000);
  }

  /** Returns the whole number of cores that YARN counts, rounded up. */
  public int virtualCores() {
    return (int) Math.ceil(cores);
  }
}
