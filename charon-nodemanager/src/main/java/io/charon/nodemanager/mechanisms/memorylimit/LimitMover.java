/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitReport;
import java.util.Optional;

/** Moves the limit between two slow samples. */
interface LimitMover {
  /**
   * The result of moving the limit.
   *
   * @param last the last report
   * @param largestGrowthBytes largest growth of the others' memory between two samples since the
   *     last call, bytes
   */
  record Moved(MemoryLimitReport last, long largestGrowthBytes) {}

  /**
   * Passes on how much memory others may keep. Starts the mover unless it runs or a start failed
   * recently. Does not wait.
   */
  void update(long nowNanos, MemoryLimitBasis basis);

  /** Returns the result since the last call; empty if nothing moves the limit. */
  Optional<Moved> moved(long nowNanos);

  /** Returns why the limit is not moved, with the cure; empty if it is, or does not have to be. */
  Optional<String> missing();

  /** Describes what the mover can do here, for status pages; empty if that is not known. */
  Optional<String> abilities();

  /** Stops the mover; the limit keeps its value. */
  void stop();
}
