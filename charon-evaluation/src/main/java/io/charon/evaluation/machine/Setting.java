/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import io.charon.nodemanager.cgroup.CgroupVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the measurements of a result have in common, apart from what is compared in it.
 *
 * @param conditions the conditions, as words without commas
 */
public record Setting(List<String> conditions) {
  private static final String COMMA = ", ";

  /** Copies the list. */
  public Setting {
    conditions = List.copyOf(conditions);
  }

  /** Returns what identifies this machine. */
  public static Setting ofThisMachine(CgroupVersion cgroups) {
    return new Setting(
        List.of(
            "kernel " + System.getProperty("os.version"),
            Runtime.getRuntime().availableProcessors() + " processors",
            cgroups == CgroupVersion.V1 ? "cgroup v1" : "cgroup v2"));
  }

  /** Returns a setting with further conditions, which come first. */
  public Setting with(String... further) {
    List<String> all = new ArrayList<>(List.of(further));
    all.addAll(conditions);
    return new Setting(all);
  }

  /** Returns the text that is kept with a measurement. */
  public String text() {
    return String.join(COMMA, conditions);
  }

  /**
   * Returns why a kept measurement cannot be compared with one in this setting, and the cure; empty
   * if it can.
   *
   * @param name what a measurement is called, with its article
   * @param kept text of the measurement's setting
   */
  public Optional<String> incomparable(String name, String kept) {
    if (kept.equals(text())) {
      return Optional.empty();
    }
    List<String> others = kept.isEmpty() ? List.of() : List.of(kept.split(COMMA, -1));
    String theirs = without(others, conditions);
    return Optional.of(
        "%s of %s, not of %s: name another file"
            .formatted(
                name,
                theirs.isEmpty() ? "an unknown setting" : theirs,
                without(conditions, others)));
  }

  private static String without(List<String> conditions, List<String> removed) {
    return String.join(
        COMMA, conditions.stream().filter(condition -> !removed.contains(condition)).toList());
  }
}
