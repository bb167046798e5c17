/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.law.eviction.SatisfactionRule;
import java.util.Optional;

/** Decides which container of a node is killed for memory, and how long the kill takes. */
public interface Killer {
  /** A killer that never kills. */
  Killer NONE =
      new Killer() {
        @Override
        public Optional<Kill> decide(NodeState node, long nowNanos) {
          return Optional.empty();
        }

        @Override
        public long recheckNanos(NodeState node) {
          return Long.MAX_VALUE;
        }
      };

  /**
   * A decision to kill a container.
   *
   * @param container the victim
   * @param cause the name of the cause under which the kill is counted
   * @param releaseNanos time from the decision until the memory is free, zero or more
   */
  record Kill(NodeContainer container, String cause, long releaseNanos) {
    /** Returns whether it is for memory, so that launches wait after it; else for CPU time. */
    boolean isForMemory() {
      return !cause.equals(SatisfactionRule.NAME);
    }
  }

  /**
   * Called when a production container starts.
   *
   * @param requestedBytes memory that it requested
   */
  default void productionStarts(long requestedBytes) {}

  /**
   * Called when a container of the node is killed, whatever the cause.
   *
   * @param nowNanos the current time
   */
  default void killed(long nowNanos) {}

  /**
   * Returns the next victim. The node calls this again at once, until the result is empty.
   *
   * @param node the node
   * @param nowNanos the current time
   */
  Optional<Kill> decide(NodeState node, long nowNanos);

  /**
   * Returns the time after which this killer has to be asked again in the node's present state, in
   * nanoseconds.
   *
   * @param node the node
   * @return {@link Long#MAX_VALUE} if the node's own steps suffice
   */
  long recheckNanos(NodeState node);
}
