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
 * An operator's order to a ResourceManager to read Charon's keys again. It stands in the file of
 * {@link ClusterStopFile}, beside an order to stop.
 *
 * @param by who gave it, one line of at most {@value StopOrder#LONGEST_NAME} characters
 * @param since when; the epoch if nobody ever did
 */
public record ReloadOrder(String by, Instant since) {
  /** Where the ResourceManager's web server tells what came of it. */
  public static final String PATH = "/charon/reload";

  /** Bytes of that answer at most: all keys with values as long as they are told. */
  public static final int MAX_BYTES = 64 * 1024;

  private static final String BY = "yarn.resourcemanager.charon.reload.by";
  private static final String SINCE = "yarn.resourcemanager.charon.reload.since";

  /** Makes the name fit to be shown. */
  public ReloadOrder {
    String line = by.replaceAll("\\p{Cntrl}+", " ").strip();
    by = line.substring(0, Math.min(line.length(), StopOrder.LONGEST_NAME));
  }

  /** Nobody ever gave one. */
  public static ReloadOrder never() {
    return new ReloadOrder("", Instant.EPOCH);
  }

  /**
   * Reads the order of a file.
   *
   * @param values of the file; other keys are ignored
   * @throws IllegalArgumentException naming key, value and what is allowed
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

  /** The order as {@link #read} takes it. */
  public Map<String, String> values() {
    return Map.of(BY, by, SINCE, since.toString());
  }
}
