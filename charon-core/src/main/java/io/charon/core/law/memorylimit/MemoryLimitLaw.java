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
 * Moves the limit around best-effort. The twin of {@code ua_limit_look} in {@code ua_limit_law.h};
 * a test runs both on the same numbers.
 *
 * <pre>
 *   O  = use - use of best-effort + swap            all that is not best-effort's
 *   Y  = excess at the slow look, less what O shrank by since then, more what of O's growth beyond
 *        what was owed is clean page cache
 *   X  = B - O - R                                  room without anybody's reclaim
 *   H  = X + Y                                      best-effort's right
 *   take   W &gt; H                               W := H at once
 *   keep   W &gt; max(X, use of best-effort + R/4) W := that, where best-effort may not grow into Y
 *   give   W + R/4 &lt; G for 10 s without a lowering  W := min(W + 2 % of B a second, G - claims)
 *                                                   G = H where the kernel takes Y first, else X
 *   due    D = use of best-effort - W
 * </pre>
 *
 * <p>Between two slow looks nobody is given what O lost: it may be excess that went. Growth within
 * what is owed counts as need, growth beyond it as excess where it is clean page cache. So a
 * production that streams a file, and by that holds the node full, does not squeeze best-effort;
 * one that was squeezed gets back R at every look until it holds its right.
 */
public final class MemoryLimitLaw {
  private static final long HOLD_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int STEP_PERCENT = 2;

  private final boolean growsIntoExcess;
  private long wall;
  private long loweredNanos;
  private long lastNanos;
  private boolean looked;

  /**
   * A law that has not looked yet.
   *
   * @param growsIntoExcess whether best-effort may be given others' excess: only where the kernel
   *     takes that first when memory runs short ({@code memory.low} of cgroup v2)
   * @param adoptedBytes the limit that was found; empty: none. It is lowered at once if need be,
   *     and rises no earlier than any other
   */
  public MemoryLimitLaw(boolean growsIntoExcess, OptionalLong adoptedBytes) {
    this.growsIntoExcess = growsIntoExcess;
    this.wall = adoptedBytes.orElse(Long.MAX_VALUE);
  }

  /**
   * Looks and decides.
   *
   * @param look what was seen
   * @param basis what the last slow look said
   * @param mayRaise whether whoever makes slow looks still does: else the limit only falls
   */
  public LimitDecision look(FastLook look, LimitBasis basis, boolean mayRaise) {
    long others = Math.max(0, look.nodeBytes() - look.bestEffortBytes()) + basis.swapBytes();
    long excess = excess(others - basis.othersBytes(), look, basis);
    long room = basis.boundaryBytes() - others - basis.reserveBytes();
    long right = room + excess;
    long slack = basis.slackBytes();
    if (!looked || look.nanos() - loweredNanos < 0) {
      loweredNanos = look.nanos(); // a clock that went back: the hold begins again
    }
    looked = true;
    Move move = lower(right, room, look.bestEffortBytes() + slack);
    if (move != Move.STAY) {
      loweredNanos = look.nanos();
    } else {
      long goal = (growsIntoExcess ? right : room) - basis.claimBytes();
      move = raise(goal, slack, look.nanos(), basis.boundaryBytes(), mayRaise);
    }
    lastNanos = look.nanos();
    return new LimitDecision(
        wall,
        move,
        Math.max(0, look.bestEffortBytes() - wall),
        basis.boundaryBytes() - look.nodeBytes(),
        excess);
  }

  /**
   * Goes on from where somebody who looks more often has moved the limit: where he ends, it neither
   * jumps nor rises sooner.
   *
   * @param nanos now, monotonic
   * @param wallBytes his W
   */
  public void adopt(long nanos, long wallBytes) {
    if (wallBytes < wall) {
      loweredNanos = nanos;
      looked = true;
    }
    wall = wallBytes;
  }

  private static long excess(long grown, FastLook look, LimitBasis basis) {
    long more =
        grown <= 0
            ? grown
            : Math.max(0, Math.min(look.cleanGrownBytes(), grown - basis.owedBytes()));
    return Math.max(0, basis.excessBytes() + more);
  }

  private Move lower(long right, long room, long heldAndSlack) {
    long most = growsIntoExcess ? right : Math.min(right, Math.max(room, heldAndSlack));
    if (wall <= Math.max(0, most)) {
      return Move.STAY;
    }
    Move move = wall > Math.max(0, right) ? Move.TAKE : Move.KEEP;
    wall = Math.max(0, most);
    return move;
  }

  private Move raise(long goal, long slack, long nanos, long boundary, boolean mayRaise) {
    long waited = nanos - loweredNanos - HOLD_NANOS;
    if (!mayRaise || waited < 0 || wall >= goal - slack) {
      return Move.STAY;
    }
    long elapsed = Math.min(Math.min(waited, nanos - lastNanos), LONGEST_STEP_NANOS);
    long step = Math.max(0, elapsed) / 1000 * (boundary / 100 * STEP_PERCENT / 1000) / 1000;
    wall = Math.min(wall + step, goal);
    return step > 0 ? Move.GIVE : Move.STAY;
  }
}
