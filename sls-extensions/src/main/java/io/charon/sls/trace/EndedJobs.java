/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Ids of the jobs that ended within the last hour of trace time. With them, late rows and reused
 * ids are detected without keeping every job of a month.
 */
final class EndedJobs {
  private static final long REMEMBERED_MICROS = Duration.ofHours(1).toMillis() * 1000;

  private final Map<Long, Long> ends = new LinkedHashMap<>();

  void add(long job, long micros) {
    ends.put(job, micros);
    Iterator<Long> oldest = ends.values().iterator();
    while (oldest.next() < micros - REMEMBERED_MICROS) {
      oldest.remove();
    }
  }

  boolean contains(long job) {
    return ends.containsKey(job);
  }
}
