/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Arrays;

/**
 * The computation of a production task: batches of text arrive, and the task holds the latest ones
 * in memory. For each batch it counts the words and the distinct words. It also computes the
 * checksum of the oldest batch, which the new batch replaces, so that memory held for long is
 * really read.
 *
 * <p>A word is a run of ASCII letters and digits; its hash is FNV-1a with 64 bits.
 */
final class ProductionWork {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final byte[][] held;
  private final int[] sizes;
  private int oldest;
  private long[] hashes = new long[1 << 16];

  /**
   * Creates the work of one task and allocates all memory of its batches, which is then reused.
   *
   * @param batches number of batches held
   * @param largestBytes size of the largest batch
   */
  ProductionWork(int batches, int largestBytes) {
    held = new byte[batches][largestBytes];
    sizes = new int[batches];
  }

  /**
   * The result of a batch.
   *
   * @param words number of words
   * @param distinct number of distinct words
   * @param checksum sum of the hashes of all words
   * @param leaving checksum of the replaced batch, computed when it is replaced
   */
  record BatchResult(int words, int distinct, long checksum, long leaving) {}

  /** Stores a batch instead of the oldest one without processing it; used to fill the memory. */
  void hold(byte[] text) {
    System.arraycopy(text, 0, held[oldest], 0, text.length);
    sizes[oldest] = text.length;
    oldest = (oldest + 1) % held.length;
  }

  /** Processes a batch of text and stores it instead of the oldest one. */
  BatchResult add(byte[] text) {
    long leaving = sum(hash(held[oldest], sizes[oldest]));
    hold(text);
    int words = hash(text, text.length);
    long checksum = sum(words);
    Arrays.sort(hashes, 0, words);
    int distinct = 0;
    for (int i = 0; i < words; i++) {
      distinct += i == 0 || hashes[i] != hashes[i - 1] ? 1 : 0;
    }
    return new BatchResult(words, distinct, checksum, leaving);
  }

  private long sum(int words) {
    long sum = 0;
    for (int i = 0; i < words; i++) {
      sum += hashes[i];
    }
    return sum;
  }

  /** Fills {@link #hashes} with the hashes of a text's words and returns the number of words. */
  private int hash(byte[] text, int bytes) {
    int words = 0;
    long hash = FNV_OFFSET;
    boolean inWord = false;
    for (int i = 0; i < bytes; i++) {
      byte next = text[i];
      if (isWordCharacter(next)) {
        hash = (hash ^ next) * FNV_PRIME;
        inWord = true;
      } else if (inWord) {
        words = append(hash, words);
        hash = FNV_OFFSET;
        inWord = false;
      }
    }
    return inWord ? append(hash, words) : words;
  }

  private int append(long hash, int words) {
    if (words == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * words);
    }
    hashes[words] = hash;
    return words + 1;
  }

  private static boolean isWordCharacter(byte character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9');
  }
}
