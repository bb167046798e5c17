/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.mechanism.Action;
import io.charon.nodemanager.execution.Actuator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Limits the memory that launches of best-effort containers may count on; running containers are
 * not affected.
 */
public final class MemoryBound implements Actuator {
  private static final long MEBIBYTE = 1024 * 1024;

  private final Optional<Consumer<OptionalLong>> launches;

  /**
   * Creates a bound that is not set.
   *
   * @param launches receives the memory that best-effort may hold altogether, bytes, or empty for
   *     no bound; empty if stock YARN decides about launches
   */
  public MemoryBound(Optional<Consumer<OptionalLong>> launches) {
    this.launches = launches;
  }

  @Override
  public Optional<String> unavailable() {
    return launches.isPresent()
        ? Optional.empty()
        : Optional.of(
            "stock YARN decides launches: set yarn.nodemanager.charon.mode to enforce or threshold");
  }

  @Override
  public String apply(Action.SetLimit wanted) {
    return limit(wanted.amount());
  }

  /**
   * Sets the bound.
   *
   * @param limit bytes
   * @return a description of the new bound
   */
  public String limit(double limit) {
    long bytes = (long) limit;
    launches.ifPresent(gate -> gate.accept(OptionalLong.of(bytes)));
    return String.format(Locale.ROOT, "best-effort may hold %d MiB", bytes / MEBIBYTE);
  }

  @Override
  public void undo() {
    launches.ifPresent(gate -> gate.accept(OptionalLong.empty()));
  }
}
