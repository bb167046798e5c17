/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitReport;
import java.util.Optional;

/** Who moves the limit between two slow looks. */
interface LimitMover {
  /**
   * What it did.
   *
   * @param last its last report
   * @param largestGrowthBytes by which others grew from one look to the next, since this was asked
   *     last
   */
  record Moved(MemoryLimitReport last, long largestGrowthBytes) {}

  /**
   * Tells it what others may keep; starts it, if it does not run and was not started in vain just
   * now. Does not wait.
   */
  void tell(long nowNanos, MemoryLimitBasis basis);

  /** What it did since this was asked last; empty: nobody moves the limit. */
  Optional<Moved> moved(long nowNanos);

  /** Why nobody moves it, with the cure; empty if somebody does, or nobody has to. */
  Optional<String> missing();

  /** What it can do here, for people; empty if it has not said. */
  Optional<String> abilities();

  /** Ends it; the limit stays where it is. */
  void stop();
}
