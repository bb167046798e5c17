/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** One event on a node; random sequences of events feed the property tests. */
sealed interface Step {
  /** Number of containers in a sequence; they are named by their numbers. */
  int CONTAINERS = 8;

  /** All memory of the node, bytes: small, so that a failing sequence is easy to read. */
  long CAPACITY_BYTES = 200;

  /** Time since the previous step. */
  long afterNanos();

  /** A best-effort container asks to start. */
  record Requests(long afterNanos, int container, long bytes) implements Step {}

  /** A production container asks to start, possibly one that was best-effort until now. */
  record RequestsGuaranteed(long afterNanos, int container) implements Step {}

  /** A container is found running. */
  record Adopted(long afterNanos, int container, long bytes) implements Step {}

  /** A container has ended; a peak of 0 was never measured. */
  record Ended(long afterNanos, int container, long peakBytes) implements Step {}

  /** Some container was killed for memory. */
  record KilledForMemory(long afterNanos) implements Step {}

  /** The node was read; the number at a container's index is its use, 0 if it is not listed. */
  record Observed(long afterNanos, long availableBytes, List<Long> usedBytes) implements Step {}

  /** The node could not be read. */
  record Unobserved(long afterNanos) implements Step {}

  /** Start values of the caller's clock: {@code System.nanoTime} starts anywhere and overflows. */
  static Arbitrary<Long> clockStarts() {
    return Arbitraries.oneOf(
        Arbitraries.longs(), Arbitraries.longs().between(Long.MAX_VALUE - 800, Long.MAX_VALUE));
  }

  /** Sequences in which launches, full queues, kills and readings are all common. */
  static Arbitrary<List<Step>> sequences() {
    Arbitrary<Long> after = Arbitraries.longs().between(0, 20);
    Arbitrary<Integer> container = Arbitraries.integers().between(0, CONTAINERS - 1);
    Arbitrary<Long> bytes = Arbitraries.longs().between(1, 60);
    Arbitrary<Long> used = Arbitraries.longs().between(0, 60);
    Arbitrary<Long> available = Arbitraries.longs().between(0, CAPACITY_BYTES);
    Arbitrary<Step> step =
        Arbitraries.frequencyOf(
            Tuple.of(12, Combinators.combine(after, container, bytes).as(Requests::new)),
            Tuple.of(1, Combinators.combine(after, container).as(RequestsGuaranteed::new)),
            Tuple.of(1, Combinators.combine(after, container, bytes).as(Adopted::new)),
            Tuple.of(4, Combinators.combine(after, container, used).as(Ended::new)),
            Tuple.of(2, after.map(KilledForMemory::new)),
            Tuple.of(
                5,
                Combinators.combine(after, available, used.list().ofSize(CONTAINERS))
                    .as(Observed::new)),
            Tuple.of(1, after.map(Unobserved::new)));
    return step.list()
        .ofMaxSize(80)
        .withSizeDistribution(RandomDistribution.uniform())
        .withoutEdgeCases();
  }
}
