/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which best-effort container dies (the Charon paper, section 3.1): the one with the largest memory
 * per execution time, or the one with the highest score. Memory is what a death frees (ours): page
 * cache that nobody refills is free already, so it makes no victim. The twin of {@code ua_rank},
 * {@code ua_frees} and {@code ua_better} in {@code ua_rules.h}.
 *
 * @param policy what makes a container the victim
 */
public record VictimChoice(Policy policy) {

  /**
   * Who is younger counts as this old (ours), milliseconds: none of those who are has caused thrash
   * that lasted for the tolerance, 3 s by default. {@code UA_YOUNGEST_MS} in {@code ua_rules.h}.
   */
  public static final long YOUNGEST_MILLIS = 3_000;

  /** What makes a container the victim. */
  public enum Policy {
    /** Bytes freed per second of execution time: the large and young one dies. */
    MEMORY_PER_TIME,
    /** The highest score dies. */
    SCORE
  }

  /**
   * A container that could die.
   *
   * @param number identifies it; of two equals the one with the larger number, the younger, dies
   * @param freesBytes what its death frees, 0 to 2^53
   * @param ageMillis its execution time, not negative
   * @param score 1 to 1000; zero and below: never dies
   */
  public record Candidate(long number, long freesBytes, long ageMillis, int score) {
    /** Checks the ranges. */
    public Candidate {
      if (freesBytes < 0 || freesBytes > 1L << 53 || ageMillis < 0) {
        throw new IllegalArgumentException(
            "freesBytes must be within 0 and 2^53 and ageMillis not negative, got "
                + freesBytes
                + " and "
                + ageMillis);
      }
    }
  }

  /**
   * How good a victim this is.
   *
   * @param candidate the container
   * @return the highest dies; 0: never
   */
  public long rank(Candidate candidate) {
    if (candidate.score() <= 0) {
      return 0;
    }
    return switch (policy) {
      case SCORE -> candidate.score();
      case MEMORY_PER_TIME ->
          candidate.freesBytes() * 1000 / Math.max(YOUNGEST_MILLIS, candidate.ageMillis()) + 1;
    };
  }

  /**
   * What a death frees.
   *
   * @param anonymousBytes anonymous and shared memory with swap
   * @param cacheBytes page cache
   * @param refills whether it refills that all the time: then it comes back as long as its owner
   *     lives
   * @param fileThrash whether page cache is what is missing
   * @return bytes
   */
  public static long freesBytes(
      long anonymousBytes, long cacheBytes, boolean refills, boolean fileThrash) {
    return refills && fileThrash ? anonymousBytes + cacheBytes : anonymousBytes;
  }

  /**
   * Who dies.
   *
   * @param candidates in any order
   * @return the victim, or nobody if none has a positive score
   */
  public Optional<Candidate> choose(List<Candidate> candidates) {
    return candidates.stream()
        .filter(candidate -> rank(candidate) > 0)
        .max(
            Comparator.comparingLong(this::rank)
                .thenComparingLong(Candidate::freesBytes)
                .thenComparingLong(Candidate::number));
  }
}
