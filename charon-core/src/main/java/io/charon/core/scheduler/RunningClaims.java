/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The claims of the best-effort containers that run now.
 *
 * @param running a view of these containers
 * @param expected the memory that would be charged to a container if it started now, in bytes
 */
record RunningClaims(Collection<RunningContainer> running, ToLongFunction<LaunchRequest> expected)
    implements Claims {
  @Override
  public Map<String, Long> heldBytes(Function<Owner, String> account) {
    Map<String, Long> held = new HashMap<>();
    for (RunningContainer container : running) {
      held.merge(
          account.apply(container.request().owner()), container.expectedPeakBytes(), Long::sum);
    }
    return held;
  }

  @Override
  public long expectedBytes(LaunchRequest request) {
    return expected.applyAsLong(request);
  }
}
