/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Randomness by name: each stream depends on the seed and its own name only, so that one more draw
 * here changes nothing there. {@link Random} has a published algorithm: the same everywhere.
 */
public final class RandomStreams {
  private final long seed;
  private final Map<String, Random> streams = new HashMap<>();

  /**
   * Creates the streams of a run.
   *
   * @param seed any
   */
  public RandomStreams(long seed) {
    this.seed = seed;
  }

  /** The stream of a name; asking again continues it. */
  public Random stream(String name) {
    return streams.computeIfAbsent(name, key -> new Random(seedOf(key)));
  }

  private long seedOf(String name) {
    EventChecksum mixed = new EventChecksum();
    mixed.add(seed);
    mixed.add(name);
    return mixed.value();
  }
}
