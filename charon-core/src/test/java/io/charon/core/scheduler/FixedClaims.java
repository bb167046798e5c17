/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Claims with fixed memory per owner, in which containers are charged with their request. */
final class FixedClaims implements Claims {
  private final Map<Owner, Long> heldBytes = new HashMap<>();

  FixedClaims holds(Owner owner, long bytes) {
    heldBytes.merge(owner, bytes, Long::sum);
    return this;
  }

  @Override
  public long heldBytes(Function<Owner, String> account, String value) {
    return heldBytes.entrySet().stream()
        .filter(entry -> account.apply(entry.getKey()).equals(value))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public long expectedBytes(LaunchRequest request) {
    return request.requestedBytes();
  }
}
