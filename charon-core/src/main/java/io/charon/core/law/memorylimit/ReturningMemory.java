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
 * What best-effort gives back soon, because somebody was killed: nobody else dies for that. A
 * container may be gone from every list while its last processes still give their memory back, and
 * use may have been read before it was and the list afterwards. So what a victim held counts until
 * best-effort's use has fallen by it, or for {@link #LONGEST} after the victim was seen last.
 */
public final class ReturningMemory {
  /** How long a victim may take to be gone before another one dies for the same (ours). */
  public static final Duration LONGEST = Duration.ofSeconds(3);

  private final Map<String, Long> dying = new HashMap<>();
  private final Map<String, Long> firstSeenNanos = new HashMap<>();
  private long goneBytes;
  private long goneNanos;
  private long lastUseBytes;

  /**
   * What is on its way back; to be asked at every look.
   *
   * @param nowNanos now
   * @param useBytes best-effort's use, not read after the candidates
   * @param candidates those who run, and those of them that are dying
   * @return not negative
   */
  public long bytes(long nowNanos, long useBytes, KillCandidates candidates) {
    Map<String, Long> now = new HashMap<>();
    candidates.all().stream()
        .filter(KillCandidate::dying)
        .forEach(candidate -> now.put(candidate.id(), candidate.bytes()));
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
    if (nowNanos - goneNanos > LONGEST.toNanos()) {
      goneBytes = 0;
    }
    lastUseBytes = useBytes;
    dying.clear();
    dying.putAll(now);
    now.keySet().forEach(id -> firstSeenNanos.putIfAbsent(id, nowNanos));
    firstSeenNanos.keySet().removeIf(id -> !isRecent(id, nowNanos));
    return goneBytes + now.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Somebody is killed now. */
  public void killed(long nowNanos, KillCandidate victim) {
    dying.put(victim.id(), victim.bytes());
    firstSeenNanos.put(victim.id(), nowNanos);
  }

  /** Whether a container was dying a moment ago: it is no victim, whatever the list says now. */
  public boolean wasDying(String id) {
    return firstSeenNanos.containsKey(id);
  }

  private boolean isRecent(String id, long nowNanos) {
    Long first = firstSeenNanos.get(id);
    return first != null && nowNanos - first <= LONGEST.toNanos();
  }
}
