/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The kills of the recent past, for people to read. Thread-safe. */
public final class KillLog {
  /** As many as the kernel keeps (ours). */
  private static final int KEPT = 64;

  private final Deque<KillRecord> records = new ArrayDeque<>();

  /** Adds a kill and forgets the oldest beyond the limit. */
  public synchronized void add(KillRecord kill) {
    if (records.size() == KEPT) {
      records.removeFirst();
    }
    records.addLast(kill);
  }

  /** All kills that are kept, newest last. */
  public synchronized List<KillRecord> recent() {
    return new ArrayList<>(records);
  }

  /** More is known of a kill of the kernel: what was added for the container is replaced. */
  public synchronized void complete(String containerId, KernelKill kill) {
    List<KillRecord> before = recent();
    records.clear();
    before.stream()
        .map(record -> record.containerId().equals(containerId) ? record.with(kill) : record)
        .forEach(records::addLast);
  }
}
