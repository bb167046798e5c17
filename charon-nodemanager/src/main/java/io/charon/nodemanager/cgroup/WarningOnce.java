/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/**
 * Logs each cause of a failure once and counts every occurrence, so that a setting that fails for
 * every container neither floods the log nor goes unnoticed. Safe for many threads.
 */
final class WarningOnce {
  private final Logger log;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  WarningOnce(Logger log) {
    this.log = log;
  }

  /**
   * Counts one failure.
   *
   * @param cause one of a few fixed texts, such as a file name without its directory
   * @param detail what failed and what follows from it
   */
  void warn(String cause, String detail) {
    LongAdder fresh = new LongAdder();
    LongAdder known = counts.putIfAbsent(cause, fresh);
    LongAdder count = known == null ? fresh : known;
    count.increment();
    if (known == null) {
      log.warn("{}: {} (logged once; further occurrences are only counted)", cause, detail);
    }
  }

  /** Returns how often each cause occurred. */
  Map<String, Long> counts() {
    Map<String, Long> snapshot = new TreeMap<>();
    counts.forEach((cause, count) -> snapshot.put(cause, count.sum()));
    return snapshot;
  }
}
