/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.Comparator;
import java.util.Optional;

/**
 * Linux's own OOM killer: when swap is full as well, it kills the largest of the processes with the
 * highest OOM score, all of which are best-effort.
 */
final class LinuxOomKiller implements Killer {
  /** The cause under which its kills are counted. */
  static final String CAUSE = "linux-oom";

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    if (node.beyondSwapBytes() == 0 || node.isDying()) {
      return Optional.empty();
    }
    return node.containers().stream()
        .filter(NodeContainer::isBestEffort)
        .max(Comparator.comparingLong(NodeContainer::anonymousBytes))
        .map(victim -> new Kill(victim, CAUSE, 0));
  }

  @Override
  public long recheckNanos(NodeState node) {
    return Long.MAX_VALUE;
  }
}
