/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of cgroups and killers created by a demo, a benchmark, a test or {@code charon cluster
 * start}, which contain the id of the process that created them.
 */
public final class ProcessNames {
  private static final List<String> PREFIXES =
      List.of("charon-demo-", "charon-bench-", "charon-it-", "charon-cluster-");

  /** Suffix of the cgroup of a cluster's daemons. */
  public static final String DAEMONS = "-daemons";

  private static final Pattern OURS =
      Pattern.compile("(?:" + String.join("|", PREFIXES) + ")(\\d{1,10})(?:" + DAEMONS + ")?");

  private ProcessNames() {}

  /** Returns all names that a process uses. */
  public static List<String> of(long processId) {
    return PREFIXES.stream()
        .map(prefix -> prefix + processId)
        .flatMap(name -> Stream.of(name, name + DAEMONS))
        .toList();
  }

  /** Returns whether what has this name was left behind by a process that no longer exists. */
  public static boolean isLeftover(String name) {
    Matcher ours = OURS.matcher(name);
    return ours.matches() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty();
  }
}
