/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * The amount of one resource that best-effort may use on a node at this instant, and where it comes
 * from. The law is that of ACK's dynamic resource over-commitment (reserved less used less a
 * buffer); the split into free and reclaimed is our choice.
 *
 * @param unit unit of the three numbers
 * @param free the unreserved amount; not negative. It is above {@code now} if the buffer extends
 *     into it
 * @param reclaimed the part of production's reservation that is unused and not needed as a buffer,
 *     whether best-effort holds it already or not; 0 to the sum of the reservations
 * @param now the amount that best-effort may use; not negative, at most the capacity
 */
public record ReclaimedResources(Unit unit, double free, double reclaimed, double now) {
  /** The unit of the resource. */
  public enum Unit {
    /** Bytes of memory. */
    BYTES,
    /** Processors, including fractions of a processor. */
    CORES
  }

  /**
   * Splits the amount that best-effort may use in total into the free and the reclaimed part.
   *
   * @param unit unit of all numbers
   * @param capacity the capacity of the node; at least 0
   * @param reserved sum of the requests of production's containers; at least 0, and above the
   *     capacity if the node is over-committed
   * @param now the amount that best-effort may use, its own use included, by whichever rule is in
   *     force; values below 0 count as 0
   * @throws IllegalArgumentException if a number is not a number, or if capacity or reserved is
   *     negative
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
   * Returns the same split with {@code now} as the amount that best-effort may use in addition.
   *
   * @param held the amount that best-effort holds; at least 0
   */
  public ReclaimedResources inAdditionTo(double held) {
    require("held", held);
    return new ReclaimedResources(unit, free, reclaimed, Math.max(0, now - held));
  }

  /**
   * Returns the amount below the water line that production and the system leave. It falls as
   * production uses more.
   *
   * @param waterLine share of the capacity that production, the system and best-effort may use
   *     together, 0 to 1
   * @param capacity the capacity of the node; at least 0
   * @param production the use of production; at least 0
   * @param system the use of the rest of the machine, or the amount kept for it if that is larger;
   *     at least 0
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
