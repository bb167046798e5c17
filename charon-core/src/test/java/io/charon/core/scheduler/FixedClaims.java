/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Claims with fixed memory per owner, in which containers are charged with their request. */
final class FixedClaims implements Claims {
  private final Map<Owner, Long> heldBytes = new HashMap<>();

  FixedClaims holds(Owner owner, long bytes) {
    heldBytes.merge(owner, bytes, Long::sum);
    return this;
  }

  @Override
  public Map<String, Long> heldBytes(Function<Owner, String> account) {
    return heldBytes.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> account.apply(entry.getKey()),
                Map.Entry::getValue,
                Long::sum,
                HashMap::new));
  }

  @Override
  public long expectedBytes(LaunchRequest request) {
    return request.requestedBytes();
  }
}
