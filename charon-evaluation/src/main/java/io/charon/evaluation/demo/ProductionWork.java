/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Arrays;

/**
 * What a production task computes: batches of text arrive, and the task holds the last ones in
 * memory. For each it counts the words and the different ones; from the batch that leaves for it,
 * the oldest, it takes the checksum once more, so that memory that was held for long is really
 * read.
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
   * Creates the work of one task; all its memory is taken at once, and used over and over.
   *
   * @param batches how many are held
   * @param largestBytes size of the largest batch
   */
  ProductionWork(int batches, int largestBytes) {
    held = new byte[batches][largestBytes];
    sizes = new int[batches];
  }

  /**
   * Result of a batch.
   *
   * @param words number of words
   * @param distinct number of different words
   * @param checksum sum of the hashes of all words
   * @param leaving the checksum of the batch that leaves for it, taken when it leaves
   */
  record BatchResult(int words, int distinct, long checksum, long leaving) {}

  /** Takes a batch without looking at it, until as many are held as may be. */
  void hold(byte[] text) {
    System.arraycopy(text, 0, held[oldest], 0, text.length);
    sizes[oldest] = text.length;
    oldest = (oldest + 1) % held.length;
  }

  /** Takes a batch of text in place of the oldest. */
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

  /** Fills {@link #hashes} with those of the words of a text; returns how many there are. */
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
        words = keep(hash, words);
        hash = FNV_OFFSET;
        inWord = false;
      }
    }
    return inWord ? keep(hash, words) : words;
  }

  private int keep(long hash, int words) {
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
