/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The content of a cgroup's {@code memory.stat}.
 *
 * @param anonymousRefaults evicted anonymous pages that were read back, since the cgroup exists
 * @param fileRefaults evicted file pages that were read back, whether or not they had been in use
 * @param anonymousBytes anonymous memory including swap, which is released only with its process
 */
record MemoryStatistics(long anonymousRefaults, long fileRefaults, long anonymousBytes) {
  /**
   * Parses the file.
   *
   * @param text content of {@code memory.stat}
   * @param swapBytes swap on cgroup v2, which reports it in another file; empty on v1
   */
  static MemoryStatistics of(String text, OptionalLong swapBytes) {
    Map<String, Long> values = new HashMap<>();
    for (String line : text.lines().toList()) {
      String[] fields = line.split(" ", -1);
      if (fields.length == 2) {
        values.put(fields[0], Long.valueOf(fields[1]));
      }
    }
    String prefix = swapBytes.isPresent() ? "" : "total_";
    return new MemoryStatistics(
        values.getOrDefault(prefix + "workingset_refault_anon", 0L),
        values.getOrDefault(prefix + "workingset_refault_file", 0L),
        swapBytes.isPresent()
            ? values.getOrDefault("anon", 0L) + swapBytes.getAsLong()
            : values.getOrDefault("total_rss", 0L) + values.getOrDefault("total_swap", 0L));
  }

  long refaults() {
    return anonymousRefaults + fileRefaults;
  }
}
