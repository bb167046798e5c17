/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * The actions of the process that moves the limit since its previous report. It reports each
 * second, and at once when best-effort is frozen or thawed, or when it has held memory for 100 ms
 * that is due and that neither page cache nor swap covers.
 *
 * @param number the number of its last input
 * @param wallBytes W of the law now
 * @param limitBytes the limit that the kernel enforces; empty: none
 * @param lowestWallBytes the lowest W since the previous report
 * @param highestWallBytes the highest W since the previous report
 * @param moves how often the limit was changed, by kind
 * @param bestEffortBytes best-effort's use
 * @param nodeBytes the node's use
 * @param freeBytes the node's free memory
 * @param excessBytes clean page cache that others hold beyond their entitlement
 * @param due best-effort's use above its limit
 * @param largestGrowthBytes the largest growth of others from one sample to the next
 * @param growthBytesPerSecond growth of others over the last 200 ms
 * @param looks the number and the delay of samples
 * @param steps how memory was reclaimed
 * @param dirty best-effort's page cache that has not been written to the disk
 * @param frozen whether best-effort is frozen
 * @param silent whether it received no input for three seconds, so that the limit only falls
 * @param unreadReports reports lost since it started, because they were not read
 */
public record MemoryLimitReport(
    long number,
    long wallBytes,
    OptionalLong limitBytes,
    long lowestWallBytes,
    long highestWallBytes,
    Moves moves,
    long bestEffortBytes,
    long nodeBytes,
    long freeBytes,
    long excessBytes,
    Due due,
    long largestGrowthBytes,
    long growthBytesPerSecond,
    Looks looks,
    Steps steps,
    Dirty dirty,
    boolean frozen,
    boolean silent,
    long unreadReports) {

  /**
   * Changes of the limit, by kind.
   *
   * @param takes lowered, because others are entitled to the memory
   * @param keeps lowered to best-effort's use
   * @param gives raised
   */
  public record Moves(long takes, long keeps, long gives) {}

  /**
   * Memory that is being reclaimed.
   *
   * @param bytes above the limit
   * @param cleanBytes best-effort's page cache that could be dropped at once
   * @param uncoveredBytes the part that is due and that neither page cache nor swap covers; 0 if it
   *     is at most a quarter of the reserve
   * @param uncoveredMillis for how long there has been such a part
   */
  public record Due(long bytes, long cleanBytes, long uncoveredBytes, long uncoveredMillis) {}

  /**
   * Samples of memory use.
   *
   * @param count number of samples
   * @param longestGapMicros the longest time between two samples
   * @param longestMicros the longest duration of a sample
   */
  public record Looks(long count, long longestGapMicros, long longestMicros) {}

  /**
   * Writes of the limit.
   *
   * @param clamps writes by the thread that takes samples
   * @param lateClamps clamps that were stopped after 5 ms; the next sample tries again
   * @param longestClampMicros the longest duration of a clamp
   * @param steps writes by the thread that reclaims
   * @param interruptedSteps steps that were stopped after 50 ms
   * @param refusedSteps clamps and steps that the kernel refused
   * @param refusal the reason of the last refusal; else empty
   * @param bytes reclaimed by steps
   */
  public record Steps(
      long clamps,
      long lateClamps,
      long longestClampMicros,
      long steps,
      long interruptedSteps,
      long refusedSteps,
      String refusal,
      long bytes) {}

  /**
   * Dirty pages, if they are limited.
   *
   * @param bytes at the last sample; 0 if they are not sampled
   * @param files whose writeback was started since the previous report
   * @param refusal the kernel's message if writeback could not be started; else empty
   */
  public record Dirty(long bytes, long files, String refusal) {}

  static MemoryLimitReport of(JsonNode line) {
    return new MemoryLimitReport(
        number(line, "number"),
        number(line, "wallBytes"),
        limit(line),
        number(line, "lowestWallBytes"),
        number(line, "highestWallBytes"),
        new Moves(number(line, "takes"), number(line, "keeps"), number(line, "gives")),
        number(line, "bestEffortBytes"),
        number(line, "nodeBytes"),
        number(line, "freeBytes"),
        number(line, "excessBytes"),
        new Due(
            number(line, "dueBytes"),
            number(line, "cleanBytes"),
            number(line, "uncoveredBytes"),
            number(line, "uncoveredMillis")),
        number(line, "largestGrowthBytes"),
        number(line, "growthBytesPerSecond"),
        new Looks(
            number(line, "samples"),
            number(line, "longestGapMicros"),
            number(line, "longestSampleMicros")),
        new Steps(
            number(line, "clamps"),
            number(line, "lateClamps"),
            number(line, "longestClampMicros"),
            number(line, "steps"),
            number(line, "interruptedSteps"),
            number(line, "refusedSteps"),
            line.path("refusal").asText(),
            number(line, "steppedBytes")),
        new Dirty(
            number(line, "dirtyBytes"),
            number(line, "writtenBackFiles"),
            line.path("writeBackRefusal").asText()),
        line.path("frozen").asBoolean(),
        line.path("silent").asBoolean(),
        number(line, "unreadReports"));
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
