/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Optional;

/** The order of the Charon paper (section 4): by arrival; a full queue rejects new containers. */
public final class FirstComeFirstServed implements QueueOrder {
  @Override
  public Collection<Waiting> inOrder(Collection<Waiting> waiting, Claims claims, long nowNanos) {
    return waiting;
  }

  @Override
  public Optional<Waiting> first(Collection<Waiting> waiting, Claims claims, long nowNanos) {
    return waiting.stream().findFirst();
  }

  @Override
  public Optional<LaunchRequest> displacedBy(
      LaunchRequest newContainer, Collection<Waiting> waiting) {
    return Optional.empty();
  }

  @Override
  public boolean canDisplace(Collection<Waiting> waiting) {
    return false;
  }
}
