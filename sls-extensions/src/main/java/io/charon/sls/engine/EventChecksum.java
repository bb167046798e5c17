/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

/** A checksum of the events in their order: equal runs have equal checksums on every machine. */
public final class EventChecksum {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state = GOLDEN;

  /** Adds a number. */
  public void add(long number) {
    // The finalizer of SplitMix64, chained.
    long mixed = (state ^ number) + GOLDEN;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    state = mixed ^ (mixed >>> 31);
  }

  /** Adds the characters of a string. */
  public void add(String word) {
    for (int i = 0; i < word.length(); i++) {
      add(word.charAt(i));
    }
  }

  /** Returns the checksum of everything added so far. */
  public long value() {
    return state;
  }

  /** Formats a checksum as 16 hexadecimal digits. */
  public static String hex(long checksum) {
    return "%016x".formatted(checksum);
  }
}
