/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.law.memorylimit.LimitDecision.Move;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Moves the limit around best-effort. {@code ua_limit_look} in {@code ua_limit_law.h} is the same
 * law in C; a test runs both on the same numbers.
 *
 * <pre>
 *   O  = use - use of best-effort + swap            the memory of all others
 *   Y  = excess at the slow sample, less the decrease of O since then, plus the part of O's growth
 *        beyond the owed memory that is clean page cache
 *   X  = B - O - R                                  room without reclaim by anyone
 *   H  = X + Y                                      best-effort's entitlement
 *   take   W &gt; H                               W := H at once
 *   keep   W &gt; max(X, use of best-effort + R/4) W := that, if best-effort may not grow into Y
 *   G  = (H if the kernel reclaims Y first, else X) - claims
 *   give   W + R/4 &lt; G, 10 s after a lowering   W := min(W + 2 % of B a second, G)
 *   due    D = use of best-effort - W
 * </pre>
 *
 * <p>Between two slow samples, a decrease of O reduces Y first and so does not raise H, because it
 * may be excess that was dropped. Growth of O within the owed memory counts as need; growth beyond
 * it counts as excess if it is clean page cache. So a production container that streams a file, and
 * thereby keeps the node full, does not squeeze best-effort. Production that was squeezed gets back
 * R at every sample until it holds its entitlement.
 */
public final class MemoryLimitLaw {
  private static final long HOLD_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int STEP_PERCENT = 2;

  /**
   * A fast sample, taken every 20 ms.
   *
   * @param nanos the time of the sample
   * @param nodeBytes the node's use
   * @param bestEffortBytes best-effort's part of it
   * @param cleanGrownBytes growth of the clean page cache of all others since the last slow sample;
   *     0 if it was not measured. It matters only if the others hold more than they were owed:
   *     growth of clean page cache is then excess, and any other growth is need
   */
  public record FastSample(long nanos, long nodeBytes, long bestEffortBytes, long cleanGrownBytes) {
    /** Checks the ranges. */
    public FastSample {
      if (nodeBytes < 0 || bestEffortBytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative");
      }
    }
  }

  private long limit;
  private long loweredNanos;
  private long lastNanos;
  private boolean hasSample;

  /**
   * Creates a law without a sample.
   *
   * @param adoptedBytes the limit found at the start; empty if there was none. It is lowered at
   *     once if necessary, and rises no earlier than any other limit
   */
  public MemoryLimitLaw(OptionalLong adoptedBytes) {
    this.limit = adoptedBytes.orElse(Long.MAX_VALUE);
  }

  /**
   * Decides on the limit from one sample.
   *
   * @param sample the fast sample
   * @param basis the result of the last slow sample
   * @param mayRaise whether slow samples are still being taken; otherwise the limit can only fall
   */
  public LimitDecision decide(FastSample sample, LimitBasis basis, boolean mayRaise) {
    long others = Math.max(0, sample.nodeBytes() - sample.bestEffortBytes()) + basis.swapBytes();
    long excess = excess(others - basis.othersBytes(), sample, basis);
    long room = basis.boundaryBytes() - others - basis.reserveBytes();
    long right = room + excess;
    long slack = basis.slackBytes();
    if (!hasSample || sample.nanos() - loweredNanos < 0) {
      loweredNanos = sample.nanos(); // the clock went back: the hold time starts again
    }
    hasSample = true;
    long most =
        basis.growsIntoExcess()
            ? right
            : Math.min(right, Math.max(room, sample.bestEffortBytes() + slack));
    Move move = lower(right, most);
    if (move != Move.STAY) {
      loweredNanos = sample.nanos();
    } else {
      long goal = (basis.growsIntoExcess() ? right : room) - basis.claimBytes();
      move = raise(goal, slack, sample.nanos(), basis.boundaryBytes(), mayRaise);
    }
    lastNanos = sample.nanos();
    return new LimitDecision(
        limit,
        move,
        Math.max(0, sample.bestEffortBytes() - limit),
        basis.boundaryBytes() - sample.nodeBytes(),
        excess);
  }

  /**
   * Adopts the limit that another process, which samples more often, has set. When that process
   * ends, the limit neither jumps nor rises earlier.
   *
   * @param nanos the current monotonic time
   * @param limitBytes the other process's W
   */
  public void adopt(long nanos, long limitBytes) {
    if (limitBytes < limit) {
      loweredNanos = nanos;
      hasSample = true;
    }
    limit = limitBytes;
  }

  private static long excess(long grown, FastSample sample, LimitBasis basis) {
    long more =
        grown <= 0
            ? grown
            : Math.max(0, Math.min(sample.cleanGrownBytes(), grown - basis.owedBytes()));
    return Math.max(0, basis.excessBytes() + more);
  }

  private Move lower(long right, long most) {
    if (limit <= Math.max(0, most)) {
      return Move.STAY;
    }
    Move move = limit > Math.max(0, right) ? Move.TAKE : Move.KEEP;
    limit = Math.max(0, most);
    return move;
  }

  private Move raise(long goal, long slack, long nanos, long boundary, boolean mayRaise) {
    long waited = nanos - loweredNanos - HOLD_NANOS;
    if (!mayRaise || waited < 0 || limit >= goal - slack) {
      return Move.STAY;
    }
    long elapsed = Math.min(Math.min(waited, nanos - lastNanos), LONGEST_STEP_NANOS);
    long step = Math.max(0, elapsed) / 1000 * (boundary / 100 * STEP_PERCENT / 1000) / 1000;
    limit = Math.min(limit + step, goal);
    return step > 0 ? Move.GIVE : Move.STAY;
  }
}
