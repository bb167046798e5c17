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
 * Memory outside of the Java heap that grows and shrinks by chunks, so that the node sees it come
 * and go, and whose pages know what they must hold.
 */
final class PagedMemory {
  /**
   * Size of a chunk, MiB. The C library maps blocks above 32 MiB one by one, so that each goes back
   * to the node when it is freed (mallopt(3), M_MMAP_THRESHOLD).
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

  /** Comes nearer to a size: by one chunk if it is too small, at once if it is too large. */
  void resizeTowards(int target) {
    if (chunks.size() < target) {
      chunks.add(filled(chunks.size()));
    } else if (chunks.size() > target) {
      chunks.subList(target, chunks.size()).clear();
      // Nothing else tells the node that the memory is free.
      System.gc();
    }
  }

  /**
   * Reads pages here and there.
   *
   * @throws IllegalStateException if one does not hold what was written
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

  /** Full of numbers that do not compress, so that swapping costs what it costs real data. */
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

  /** Marsaglia's xorshift: fast, and good enough to spread. */
  private long next() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return random;
  }
}
