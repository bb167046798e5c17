/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import io.charon.core.stop.StopOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;

/**
 * An operator's order to a ResourceManager to read Charon's keys again. It is written to the file
 * of {@link ClusterStopFile}, next to an order to stop.
 *
 * @param by name of the operator, one line of at most {@value StopOrder#LONGEST_NAME} characters
 * @param since when it was given; the epoch if never
 */
public record ReloadOrder(String by, Instant since) {
  /** The path at which the ResourceManager's web server reports the outcome. */
  public static final String PATH = "/charon/reload";

  /** Maximum size of that response in bytes: all keys with values of the maximum length. */
  public static final int MAX_BYTES = 64 * 1024;

  private static final String BY = "yarn.resourcemanager.charon.reload.by";
  private static final String SINCE = "yarn.resourcemanager.charon.reload.since";

  /** Makes the name safe to display. */
  public ReloadOrder {
    String line = by.replaceAll("\\p{Cntrl}+", " ").strip();
    by = line.substring(0, Math.min(line.length(), StopOrder.LONGEST_NAME));
  }

  /** The value for no order. */
  public static ReloadOrder never() {
    return new ReloadOrder("", Instant.EPOCH);
  }

  /**
   * Reads the order from the values of a file.
   *
   * @param values values of the file; other keys are ignored
   * @throws IllegalArgumentException if a value is invalid; the message names the key and an
   *     example
   */
  public static ReloadOrder read(Map<String, String> values) {
    String since = values.get(SINCE);
    if (since == null) {
      return never();
    }
    try {
      return new ReloadOrder(values.getOrDefault(BY, ""), Instant.parse(since.strip()));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is not a time such as 2026-01-31T12:00:00Z".formatted(SINCE), e);
    }
  }

  /** The order in the form that {@link #read} accepts. */
  public Map<String, String> values() {
    return Map.of(BY, by, SINCE, since.toString());
  }
}
