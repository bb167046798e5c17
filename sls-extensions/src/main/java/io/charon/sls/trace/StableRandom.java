/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/**
 * Random numbers that depend only on a seed, the name of a stream and an id. A task gets the same
 * number whatever else a workload holds, and in whatever order it is read.
 *
 * @param seed seed of the whole workload
 */
record StableRandom(long seed) {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Returns a number from 0, inclusive, to 1, exclusive. */
  double uniform(String stream, String id) {
    return (hash(stream, id) >>> 11) * 0x1.0p-53;
  }

  /** Returns 64 random bits. */
  long hash(String stream, String id) {
    return mix(seed + add(add(FNV_BASIS, stream) * FNV_PRIME, id));
  }

  private static long add(long hash, String text) {
    long sum = hash;
    for (int i = 0; i < text.length(); i++) {
      sum = (sum ^ text.charAt(i)) * FNV_PRIME;
    }
    return sum;
  }

  /**
   * The finalizer of SplitMix64 (Steele, Lea, Flood 2014), applied twice because FNV alone mixes
   * little.
   */
  private static long mix(long value) {
    long z = value;
    for (int i = 0; i < 2; i++) {
      z += 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      z ^= z >>> 31;
    }
    return z;
  }
}
