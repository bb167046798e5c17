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
 * Named streams of random numbers. Each stream depends only on the seed and its own name, so an
 * additional draw from one stream does not change the others. The algorithm of {@link Random} is
 * specified and therefore the same on every machine.
 */
public final class RandomStreams {
  private final long seed;
  private final Map<String, Random> streams = new HashMap<>();

  /**
   * Creates the streams of a run.
   *
   * @param seed any value
   */
  public RandomStreams(long seed) {
    this.seed = seed;
  }

  /** Returns the stream of a name; a second call continues the same stream. */
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
