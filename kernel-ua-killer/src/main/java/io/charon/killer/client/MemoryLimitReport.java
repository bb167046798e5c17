/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * What the process that moves the limit reports and the NodeManager uses. It reports each second,
 * and, if the limit is enforced, at once when best-effort has held memory for 100 ms that is due
 * and that page cache does not cover. Counts are since the previous report.
 *
 * @param number the number of its last input
 * @param limitBytes W of the law now
 * @param enforcedBytes the limit that the kernel enforces; empty: none
 * @param moves how often the limit was changed, by kind
 * @param largestGrowthBytes the largest growth of the memory of others from one sample to the next
 * @param uncoveredMillis for how long best-effort has held memory that is due and that page cache
 *     does not cover; 0 if there is none, or at most a quarter of the reserve
 * @param refusals writes of the limit that the kernel refused
 * @param dirty best-effort's page cache that has not been written to the disk
 */
public record MemoryLimitReport(
    long number,
    long limitBytes,
    OptionalLong enforcedBytes,
    Moves moves,
    long largestGrowthBytes,
    long uncoveredMillis,
    Refusals refusals,
    Dirty dirty) {

  /**
   * Changes of the limit, by kind.
   *
   * @param takes lowered, because others are entitled to the memory
   * @param keeps lowered to best-effort's use
   * @param gives raised
   */
  public record Moves(long takes, long keeps, long gives) {}

  /**
   * Writes of the limit that the kernel refused.
   *
   * @param count their number
   * @param last the kernel's message at the last one; else empty
   */
  public record Refusals(long count, String last) {}

  /**
   * Dirty pages, if they are limited.
   *
   * @param bytes at the last sample; 0 if they are not sampled
   * @param refusal the kernel's message if writeback could not be started; else empty
   */
  public record Dirty(long bytes, String refusal) {}

  static MemoryLimitReport of(JsonNode line) {
    return new MemoryLimitReport(
        number(line, "number"),
        number(line, "wallBytes"),
        limit(line),
        new Moves(number(line, "takes"), number(line, "keeps"), number(line, "gives")),
        number(line, "largestGrowthBytes"),
        number(line, "uncoveredMillis"),
        new Refusals(number(line, "refusedSteps"), line.path("refusal").asText()),
        new Dirty(number(line, "dirtyBytes"), line.path("writeBackRefusal").asText()));
  }

  private static long number(JsonNode line, String name) {
    return line.path(name).asLong();
  }

  /** Returns the limit; the helper reports -1 if there is none. */
  static OptionalLong limit(JsonNode line) {
    long bytes = number(line, "limitBytes");
    return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
