/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory outside of the Java heap that grows and shrinks by chunks, so that the node's memory use
 * follows, and whose pages hold values that are verified when they are read.
 */
final class PagedMemory {
  /**
   * Size of a chunk, MiB. The C library maps blocks above 32 MiB individually, so that each is
   * returned to the kernel when it is freed (mallopt(3), M_MMAP_THRESHOLD).
   */
  static final int CHUNK_MB = 64;

  private static final int CHUNK_BYTES = CHUNK_MB << 20;
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = CHUNK_BYTES / PAGE_BYTES;

  private static final int BLOCK_BYTES = 1 << 20;

  private final List<ByteBuffer> chunks = new ArrayList<>();
  private final long[] block = new long[BLOCK_BYTES / Long.BYTES];
  private long random;

  PagedMemory(long seed) {
    random = seed * 2 + 1;
    for (int i = 0; i < block.length; i++) {
      block[i] = next();
    }
  }

  int size() {
    return chunks.size();
  }

  /** Approaches a size: grows by one chunk, or shrinks to the size at once. */
  void resizeTowards(int target) {
    if (chunks.size() < target) {
      chunks.add(filled(chunks.size()));
    } else if (chunks.size() > target) {
      chunks.subList(target, chunks.size()).clear();
      // Direct buffers are freed only when the garbage collector runs.
      System.gc();
    }
  }

  /**
   * Reads pages at random positions.
   *
   * @throws IllegalStateException if a page does not hold the value that was written
   */
  void touch(int pages) {
    for (int i = 0; i < pages && !chunks.isEmpty(); i++) {
      int chunk = Math.floorMod(next(), chunks.size());
      int page = Math.floorMod(next(), PAGES);
      if (chunks.get(chunk).getLong(page * PAGE_BYTES) != value(chunk, page)) {
        throw new IllegalStateException("page " + page + " of chunk " + chunk + " has changed");
      }
    }
  }

  /**
   * Returns a chunk of numbers that do not compress well, so that swapping costs as much as for
   * real data.
   */
  private ByteBuffer filled(int chunk) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
    LongBuffer longs = buffer.asLongBuffer();
    while (longs.hasRemaining()) {
      longs.put(block);
    }
    for (int page = 0; page < PAGES; page++) {
      buffer.putLong(page * PAGE_BYTES, value(chunk, page));
    }
    return buffer;
  }

  private static long value(int chunk, int page) {
    return (((long) chunk << 32) | page) * 0x9E3779B97F4A7C15L;
  }

  /** Marsaglia's xorshift generator: fast, and random enough to spread the reads. */
  private long next() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return random;
  }
}
