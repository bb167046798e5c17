/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a production task computes. Batches of text arrive; the task keeps each batch and the sorted
 * hashes of its words in memory until the phase is full, then merges all of them into one result
 * and lets go of the memory.
 *
 * <p>A word is a run of ASCII letters and digits; its hash is FNV-1a with 64 bits.
 */
final class ProductionWork {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final long phaseBytes;
  private final List<Batch> batches = new ArrayList<>();
  private long heldBytes;

  /**
   * Creates the work of one task.
   *
   * @param phaseBytes memory at which a phase is full
   */
  ProductionWork(long phaseBytes) {
    this.phaseBytes = phaseBytes;
  }

  private static final class Batch {
    private final byte[] text;
    private final long[] sortedHashes;

    Batch(byte[] text) {
      this.text = text;
      this.sortedHashes = hashes(text);
      Arrays.sort(sortedHashes);
    }

    long bytes() {
      return text.length + 8L * sortedHashes.length;
    }
  }

  /**
   * Result of a phase.
   *
   * @param words number of words
   * @param distinct number of different words
   * @param checksum sum of the hashes of all words
   */
  record PhaseResult(long words, long distinct, long checksum) {}

  /** Takes a batch of text; returns the phase's result if the phase is full now. */
  Optional<PhaseResult> add(byte[] text) {
    Batch batch = new Batch(text);
    batches.add(batch);
    heldBytes += batch.bytes();
    return heldBytes >= phaseBytes ? finishPhase() : Optional.empty();
  }

  /** Merges what is in memory and lets go of it; empty if there is nothing. */
  Optional<PhaseResult> finishPhase() {
    if (batches.isEmpty()) {
      return Optional.empty();
    }
    long words = 0;
    long checksum = 0;
    for (Batch batch : batches) {
      // From the kept text once more: memory that the task has held for long is really read again.
      long[] again = hashes(batch.text);
      words += again.length;
      for (long hash : again) {
        checksum += hash;
      }
    }
    long distinct = distinct();
    batches.clear();
    heldBytes = 0;
    return Optional.of(new PhaseResult(words, distinct, checksum));
  }

  private long distinct() {
    long[] union = new long[0];
    for (Batch batch : batches) {
      union = union(union, batch.sortedHashes);
    }
    return union.length;
  }

  /** Different values of two sorted arrays, sorted. */
  private static long[] union(long[] left, long[] right) {
    long[] merged = new long[left.length + right.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < left.length || j < right.length) {
      boolean takeLeft = j >= right.length || (i < left.length && left[i] <= right[j]);
      long next = takeLeft ? left[i++] : right[j++];
      if (size == 0 || merged[size - 1] != next) {
        merged[size++] = next;
      }
    }
    return Arrays.copyOf(merged, size);
  }

  private static long[] hashes(byte[] text) {
    long[] hashes = new long[text.length / 8 + 16];
    int size = 0;
    long hash = FNV_OFFSET;
    boolean inWord = false;
    for (byte next : text) {
      if (isWordCharacter(next)) {
        hash = (hash ^ next) * FNV_PRIME;
        inWord = true;
      } else if (inWord) {
        hashes = withRoom(hashes, size);
        hashes[size++] = hash;
        hash = FNV_OFFSET;
        inWord = false;
      }
    }
    if (inWord) {
      hashes = withRoom(hashes, size);
      hashes[size++] = hash;
    }
    return Arrays.copyOf(hashes, size);
  }

  private static long[] withRoom(long[] hashes, int size) {
    return size < hashes.length ? hashes : Arrays.copyOf(hashes, size + size / 2);
  }

  private static boolean isWordCharacter(byte character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9');
  }
}
