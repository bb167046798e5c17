/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of cgroups and killers created by a demo, a benchmark, a test or {@code charon cluster
 * start}, which contain the id of the process that created them.
 */
public final class ProcessNames {
  private static final Pattern OURS =
      Pattern.compile("charon-(?:demo|bench|it|cluster)-(\\d{1,10})(?:-daemons)?");

  private ProcessNames() {}

  /** Returns whether what has this name was left behind by a process that no longer exists. */
  public static boolean isLeftover(String name) {
    Matcher ours = OURS.matcher(name);
    return ours.matches() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty();
  }
}
