/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory that best-effort will soon release because containers were killed: no other container
 * is killed for that amount. A container may be missing from every list while its last processes
 * still release memory, and the use may have been read before that and the list afterwards. So a
 * victim's memory counts until best-effort's use has fallen by it, or until {@link #TIMEOUT} has
 * passed.
 */
public final class PendingRelease {
  /** Maximum time for a victim to exit before another one is killed for its memory. Our choice. */
  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final Map<String, Long> dying = new HashMap<>();
  private final Map<String, Long> firstSeenNanos = new HashMap<>();
  private long goneBytes;
  private long goneNanos;
  private long lastUseBytes;

  /**
   * Returns the memory that is being released; to be called at every sample.
   *
   * @param nowNanos the current time
   * @param useBytes best-effort's use, read before the candidates
   * @param candidates the running containers, some of which may be dying
   * @return bytes, not negative
   */
  public long bytes(long nowNanos, long useBytes, KillCandidates candidates) {
    Map<String, Long> now = new HashMap<>();
    candidates.all().stream()
        .filter(KillCandidate::dying)
        .forEach(candidate -> now.put(candidate.id(), candidate.memory().releasedBytes()));
    long shrunk = 0;
    for (Map.Entry<String, Long> before : dying.entrySet()) {
      if (now.containsKey(before.getKey())) {
        shrunk += Math.max(0, before.getValue() - now.get(before.getKey()));
      } else if (isRecent(before.getKey(), nowNanos)) {
        goneBytes += before.getValue();
        goneNanos = nowNanos;
      }
    }
    goneBytes = Math.max(0, goneBytes - Math.max(0, lastUseBytes - useBytes - shrunk));
    if (nowNanos - goneNanos > TIMEOUT.toNanos()) {
      goneBytes = 0;
    }
    lastUseBytes = useBytes;
    dying.clear();
    dying.putAll(now);
    now.keySet().forEach(id -> firstSeenNanos.putIfAbsent(id, nowNanos));
    firstSeenNanos.keySet().removeIf(id -> !isRecent(id, nowNanos));
    return goneBytes + now.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Records that a container is being killed. */
  public void killed(long nowNanos, KillCandidate victim) {
    dying.put(victim.id(), victim.memory().releasedBytes());
    firstSeenNanos.put(victim.id(), nowNanos);
  }

  /**
   * Returns whether a container was dying a moment ago: it must not be chosen as a victim, even if
   * the current list does not show it as dying.
   */
  public boolean wasDying(String id) {
    return firstSeenNanos.containsKey(id);
  }

  private boolean isRecent(String id, long nowNanos) {
    Long first = firstSeenNanos.get(id);
    return first != null && nowNanos - first <= TIMEOUT.toNanos();
  }
}
