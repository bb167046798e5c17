/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.sls.node.Killer;
import io.charon.sls.node.NodeContainer;
import io.charon.sls.node.NodeState;
import java.util.Comparator;
import java.util.Optional;

/**
 * Displaces, without delay and before any container thrashes, the best-effort container with the
 * most remaining work.
 */
final class OracleKiller implements Killer {
  static final String CAUSE = "oracle";

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    if (!node.isUnderPressure() || node.isDying()) {
      return Optional.empty();
    }
    return node.containers().stream()
        .filter(NodeContainer::isBestEffort)
        .max(
            Comparator.comparingDouble(
                container -> (1 - container.progress()) * container.plan().work().nanos()))
        .map(victim -> new Kill(victim, CAUSE, 0));
  }

  @Override
  public long recheckNanos(NodeState node) {
    return Long.MAX_VALUE;
  }
}
