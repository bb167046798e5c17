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

/** The recent kills, for status pages. Thread-safe. */
public final class KillLog {
  /** Number of kills kept, the same as in the kernel killer (our choice). */
  private static final int KEPT = 64;

  private final Deque<KillRecord> records = new ArrayDeque<>();

  /** Adds a kill, and forgets the oldest one beyond the limit. */
  public synchronized void add(KillRecord kill) {
    if (records.size() == KEPT) {
      records.removeFirst();
    }
    records.addLast(kill);
  }

  /** Returns all kept kills, newest last. */
  public synchronized List<KillRecord> recent() {
    return new ArrayList<>(records);
  }

  /** Adds the kernel killer's later data to the records of a container. */
  public synchronized void complete(String containerId, KernelKill kill) {
    List<KillRecord> before = recent();
    records.clear();
    before.stream()
        .map(record -> record.containerId().equals(containerId) ? record.with(kill) : record)
        .forEach(records::addLast);
  }
}
