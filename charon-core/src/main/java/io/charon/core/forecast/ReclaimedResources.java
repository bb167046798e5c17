/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * What best-effort may use of one resource of one node at this instant, and where it comes from.
 * The law is that of ACK's dynamic resource over-commitment (reserved less used less a buffer); the
 * split into free and reclaimed is ours.
 *
 * @param unit of the three numbers
 * @param free what nobody has reserved; not negative. More than {@code now} where the buffer
 *     reaches into it
 * @param reclaimed what production has reserved, does not use, and is not needed as a buffer; 0 to
 *     the sum of the reservations
 * @param now what best-effort may use; not negative, at most the capacity
 */
public record ReclaimedResources(Unit unit, double free, double reclaimed, double now) {
  /** What is counted. */
  public enum Unit {
    /** Memory. */
    BYTES,
    /** Processors; a part of one is a fraction. */
    CORES
  }

  /**
   * Tells the reclaimed part of {@code now} from the free one.
   *
   * @param unit of all numbers
   * @param capacity what the node has; at least 0
   * @param reserved sum of what production's containers asked for; at least 0, above the capacity
   *     on a node that is over-committed
   * @param now what best-effort may use, by whatever rule holds; below 0 counts as 0
   * @throws IllegalArgumentException if a number is not a number, or one of the first two negative
   */
  public static ReclaimedResources of(Unit unit, double capacity, double reserved, double now) {
    require("capacity", capacity);
    require("reserved", reserved);
    if (Double.isNaN(now)) {
      throw new IllegalArgumentException("now must be a number, was " + now);
    }
    double usable = Math.min(capacity, Math.max(0, now));
    double free = Math.max(0, capacity - reserved);
    double reclaimed = Math.min(reserved, Math.max(0, usable - free));
    return new ReclaimedResources(unit, free, reclaimed, usable);
  }

  /**
   * What is below the water line beside production and the system. Falls as production uses more.
   *
   * @param waterLine share of the capacity that all together may use, 0 to 1
   * @param capacity what the node has; at least 0
   * @param production what production uses; at least 0
   * @param system what the rest of the machine uses, or what is kept for it if that is more; at
   *     least 0
   * @return in the unit of the arguments; at least 0
   */
  public static double belowWaterLine(
      double waterLine, double capacity, double production, double system) {
    require("water line", waterLine);
    require("capacity", capacity);
    require("production's use", production);
    require("the system's use", system);
    if (waterLine > 1) {
      throw new IllegalArgumentException("water line must be 0 to 1, was " + waterLine);
    }
    return Math.max(0, waterLine * capacity - production - system);
  }

  private static void require(String name, double number) {
    if (!(number >= 0 && number <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(name + " must not be negative, was " + number);
    }
  }
}
