/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An innocent JVM in a process of its own: it keeps a live set and produces a steady stream of
 * garbage for the collector.
 */
final class JavaHeapLoad {
  /** Total memory that the JVM needs, and therefore its share. */
  static final int FOOTPRINT_MEGABYTES = 150;

  static final int HEAP_MEGABYTES = 96;
  private static final int LIVE_BLOCKS = 48;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int MILLIS_BETWEEN_BLOCKS = 5;

  private JavaHeapLoad() {}

  /**
   * Runs until the process is killed.
   *
   * @param arguments none
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] arguments) throws InterruptedException {
    Deque<byte[]> live = new ArrayDeque<>();
    while (true) {
      live.add(new byte[BLOCK_BYTES]);
      if (live.size() > LIVE_BLOCKS) {
        live.remove();
      }
      Thread.sleep(MILLIS_BETWEEN_BLOCKS);
    }
  }
}
