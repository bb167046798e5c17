/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The label that distinguishes the series of a metric. All values are fixed here or are names of
 * mechanisms, so the number of series does not grow with jobs.
 */
enum Label {
  /** No label: the metric has a single series. */
  NONE(""),
  /** The class of the containers: GUARANTEED or OPPORTUNISTIC. */
  CLASS("class", "production", "best_effort"),
  /** The killer. */
  KILLER(
      "killer",
      "kernel",
      "user_space",
      "regulator",
      "memory_limit",
      "freeze",
      "evict_line",
      "evict_psi",
      "evict_satisfaction",
      "stop",
      "linux_oom"),
  /** The killer that would kill now. */
  KILLER_IN_CHARGE("killer", "kernel", "user_space"),
  /** The action of freeze before kill. */
  FREEZE("action", "freeze", "reclaim", "thaw", "kill"),
  /** The part of the resources that best-effort may use. */
  RECLAIMED("kind", "now", "free", "reclaimed"),
  /** The name of the mechanism that reports the quantity. */
  REGULATOR("regulator");

  private static final Pattern MECHANISM = Pattern.compile("[a-z]+(_[a-z]+)*");

  private final String key;
  private final String values;

  Label(String key, String... values) {
    this.key = key;
    this.values = String.join(",", values);
  }

  /** Returns the key of the label; empty if there is none. */
  String key() {
    return key;
  }

  /**
   * Returns all possible values; one empty value if there is no label, or if the values are names
   * of mechanisms.
   */
  List<String> all() {
    return List.of(values.split(",", -1));
  }

  /** Returns whether a series with this value may exist. */
  boolean has(String value) {
    return this == REGULATOR ? MECHANISM.matcher(value).matches() : all().contains(value);
  }
}
