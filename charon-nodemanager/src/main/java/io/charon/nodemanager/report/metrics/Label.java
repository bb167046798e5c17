/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What tells the series of a metric apart. All values are known here, or are mechanisms: nothing
 * grows with jobs.
 */
enum Label {
  /** One series only. */
  NONE(""),
  /** Whose containers: GUARANTEED or OPPORTUNISTIC. */
  CLASS("class", "production", "best_effort"),
  /** Who killed. */
  KILLER("killer", Killers.TIMED, "linux_oom"),
  /** Who killed, where Charon knows when that was decided. */
  TIMED_KILLER("killer", Killers.TIMED),
  /** Who would kill now. */
  KILLER_IN_CHARGE("killer", "kernel", "user_space"),
  /** What pause before kill did. */
  PAUSE("action", "freeze", "reclaim", "resume", "kill"),
  /** Which number of what best-effort may use. */
  RECLAIMED("kind", "now", "free", "reclaimed"),
  /** The name of a mechanism that has such a number; each names itself. */
  REGULATOR("regulator");

  /** Constants of an enum cannot name its own fields. */
  private static final class Killers {
    static final String TIMED =
        "kernel,user_space,regulator,memory_limit,pause,evict_line,evict_psi,evict_satisfaction,stop";
  }

  private static final Pattern MECHANISM = Pattern.compile("[a-z]+(_[a-z]+)*");

  private final String key;
  private final String values;

  Label(String key, String... values) {
    this.key = key;
    this.values = String.join(",", values);
  }

  /** Its name; empty if there is none. */
  String key() {
    return key;
  }

  /** All values that it can have; one empty value if there is no label, or mechanisms name it. */
  List<String> all() {
    return List.of(values.split(",", -1));
  }

  /** Whether there may be such a series. */
  boolean has(String value) {
    return this == REGULATOR ? MECHANISM.matcher(value).matches() : all().contains(value);
  }
}
