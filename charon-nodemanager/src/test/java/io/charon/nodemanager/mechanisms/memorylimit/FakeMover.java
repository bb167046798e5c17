/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.killer.client.MemoryLimitBasis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records its inputs, and reports the configured values. */
final class FakeMover implements LimitMover {
  final List<MemoryLimitBasis> told = new ArrayList<>();
  Optional<Moved> moved = Optional.empty();
  Optional<String> missing = Optional.empty();
  int stops;

  @Override
  public void update(long nowNanos, MemoryLimitBasis basis) {
    told.add(basis);
  }

  @Override
  public Optional<Moved> moved(long nowNanos) {
    return moved;
  }

  @Override
  public Optional<String> missing() {
    return missing;
  }

  @Override
  public Optional<String> abilities() {
    return Optional.empty();
  }

  @Override
  public void stop() {
    stops++;
  }
}
