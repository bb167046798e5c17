/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.Optional;

/** Who dies for memory on a node, and how long that takes. */
public interface Killer {
  /** Nobody ever dies. */
  Killer NONE =
      new Killer() {
        @Override
        public Optional<Kill> decide(NodeState node, long nowNanos) {
          return Optional.empty();
        }

        @Override
        public long lookAgainNanos(NodeState node) {
          return Long.MAX_VALUE;
        }
      };

  /**
   * A decision.
   *
   * @param container the victim
   * @param cause what killed it, as it is counted
   * @param releaseNanos from the decision until its memory is free, zero or more
   */
  record Kill(NodeContainer container, String cause, long releaseNanos) {}

  /**
   * A production container starts at this instant.
   *
   * @param requestedBytes what it asked for
   */
  default void productionStarts(long requestedBytes) {}

  /**
   * Who dies now; asked again at once until nobody does.
   *
   * @param node the node
   * @param nowNanos now
   */
  Optional<Kill> decide(NodeState node, long nowNanos);

  /**
   * How soon this killer has to look again in the node's present state, nanoseconds.
   *
   * @param node the node
   * @return {@link Long#MAX_VALUE} if the node's own steps suffice
   */
  long lookAgainNanos(NodeState node);
}
