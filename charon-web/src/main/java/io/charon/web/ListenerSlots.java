/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.util.HashMap;
import java.util.Map;

/** Slots for listeners: a total number, and a number per client address. Thread-safe. */
final class ListenerSlots {
  private final int most;
  private final int mostOfClient;
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  ListenerSlots(int most, int mostOfClient) {
    this.most = most;
    this.mostOfClient = mostOfClient;
  }

  /**
   * Takes a slot for a client.
   *
   * @return whether one was free
   */
  synchronized boolean take(String client) {
    int own = taken.getOrDefault(client, 0);
    if (all >= most || own >= mostOfClient) {
      return false;
    }
    taken.put(client, own + 1);
    all++;
    return true;
  }

  /** Returns a slot that was taken. */
  synchronized void release(String client) {
    taken.computeIfPresent(client, (address, own) -> own == 1 ? null : own - 1);
    all--;
  }
}
