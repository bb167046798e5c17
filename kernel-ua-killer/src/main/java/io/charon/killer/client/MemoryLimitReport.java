/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * What the process that moves the limit did since its report before: each second, and at once when
 * best-effort is frozen or thawed, or holds for 100 ms what neither page cache nor swap covers.
 *
 * @param number of what it was told last
 * @param wallBytes W of the law now
 * @param limitBytes what the kernel enforces; empty: nothing
 * @param lowestWallBytes since the report before
 * @param highestWallBytes since the report before
 * @param moves how often it was lowered for others' need, lowered to what best-effort holds, raised
 * @param bestEffortBytes its use
 * @param nodeBytes the node's use
 * @param freeBytes of the node
 * @param excessBytes clean page cache that others hold beyond their right
 * @param due what best-effort holds above its limit
 * @param largestGrowthBytes by which others grew from one look to the next
 * @param growthBytesPerSecond of others, over the last 200 ms
 * @param looks how many there were, and how late
 * @param steps how memory was taken back
 * @param dirty what of best-effort's page cache the disk has not taken
 * @param frozen whether best-effort is
 * @param silent whether it was told nothing for three seconds, so that the limit only falls
 * @param unreadReports that were lost since it began, because nobody read
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
   * Moves of the limit, by kind.
   *
   * @param takes lowered, because others need it by right
   * @param keeps lowered to what best-effort holds
   * @param gives raised
   */
  public record Moves(long takes, long keeps, long gives) {}

  /**
   * What is being taken back.
   *
   * @param bytes above the limit
   * @param cleanBytes best-effort's page cache that could be dropped at once
   * @param uncoveredBytes of what is due, had neither from that nor by swapping; 0 if it is no more
   *     than a quarter of the reserve
   * @param uncoveredMillis for how long there have been any
   */
  public record Due(long bytes, long cleanBytes, long uncoveredBytes, long uncoveredMillis) {}

  /**
   * Looks at use.
   *
   * @param count how many
   * @param longestGapMicros between two of them
   * @param longestMicros that one took
   */
  public record Looks(long count, long longestGapMicros, long longestMicros) {}

  /**
   * Writes of the limit.
   *
   * @param clamps by who looks
   * @param lateClamps of them that were ended after 5 ms; the next look tries again
   * @param longestClampMicros that one took
   * @param steps by who takes back
   * @param interruptedSteps of them that were ended after 50 ms
   * @param refusedSteps of both that the kernel refused
   * @param refusal why, of the last one; else empty
   * @param bytes taken back by steps
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
   * Dirty pages, where they are to be few.
   *
   * @param bytes at the last look; 0 if nobody looks
   * @param files whose writing back was begun since the report before
   * @param refusal what the kernel said where it could not be begun; else empty
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
            number(line, "looks"),
            number(line, "longestGapMicros"),
            number(line, "longestLookMicros")),
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

  /** The kernel's words for no limit are -1 here. */
  static OptionalLong limit(JsonNode line) {
    long bytes = number(line, "limitBytes");
    return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
