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
 * Chooses the best-effort container to kill (the Charon paper, section 3.1): the one with the
 * largest memory per execution time, or the one with the highest score. Only memory that a kill
 * releases counts (our choice): page cache that the container does not refill is as good as free,
 * so it makes no victim. The functions {@code ua_rank}, {@code ua_frees} and {@code ua_better} in
 * {@code ua_rules.h} are the same law in C.
 *
 * @param policy the property that makes a container the victim
 */
public record VictimChoice(Policy policy) {

  /**
   * Minimum age used in the ranking, in milliseconds; younger containers count as this old. Our
   * choice: a younger container cannot have caused thrash that lasted for the tolerance, 3 s by
   * default. {@code UA_YOUNGEST_MS} in {@code ua_rules.h}.
   */
  public static final long YOUNGEST_MILLIS = 3_000;

  /** The property that makes a container the victim. */
  public enum Policy {
    /** Bytes released per second of execution time: prefers large and young containers. */
    MEMORY_PER_TIME,
    /** The highest score. */
    SCORE
  }

  /**
   * A container that may be killed.
   *
   * @param number identifies it; of two equal candidates the one with the larger number, which is
   *     younger, is killed
   * @param freesBytes the memory that a kill releases, 0 to 2^53
   * @param ageMillis its execution time, not negative
   * @param score 1 to 1000; zero or below: never killed
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
   * Returns how suitable a container is as a victim.
   *
   * @param candidate the container
   * @return the candidate with the highest rank is killed; 0: never
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
   * Returns the memory that a kill releases.
   *
   * @param anonymousBytes anonymous and shared memory, including swap
   * @param cacheBytes page cache
   * @param refills whether the container keeps refilling its page cache, so that the cache returns
   *     for as long as the container runs
   * @param fileThrash whether the thrash is of page cache
   * @return bytes
   */
  public static long freesBytes(
      long anonymousBytes, long cacheBytes, boolean refills, boolean fileThrash) {
    return refills && fileThrash ? anonymousBytes + cacheBytes : anonymousBytes;
  }

  /**
   * Chooses the victim.
   *
   * @param candidates in any order
   * @return the victim; empty if no candidate has a positive score
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
