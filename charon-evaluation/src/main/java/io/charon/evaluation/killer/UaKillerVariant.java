/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The kernel UA killer in one of its tiers, with or without its helper. */
final class UaKillerVariant implements KillVariant {
  private static final Duration AGE = Duration.ofSeconds(10);

  private final String name;
  private final CellKiller killer;
  private final int tier;
  private final boolean helper;
  private final Duration tolerance;
  private final Duration timeout;

  UaKillerVariant(
      String name,
      CellKiller killer,
      int tier,
      boolean helper,
      Duration tolerance,
      Duration timeout) {
    this.name = name;
    this.killer = killer;
    this.tier = tier;
    this.helper = helper;
    this.tolerance = tolerance;
    this.timeout = timeout;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public Session open() throws IOException, InterruptedException {
    killer.load(tolerance, "--tier", Integer.toString(tier));
    if (helper) {
      killer.startHelper();
    }
    return new Session() {
      @Override
      public void watch(MemoryContainer victim, long processId)
          throws IOException, InterruptedException {
        killer.registerKillable(victim, AGE);
      }

      @Override
      public Optional<KillTimes> times(MemoryContainer victim, KillObserver observer)
          throws IOException, InterruptedException {
        long id = victim.id();
        Optional<KillTimes> times =
            killer
                .killOf(id)
                .map(kill -> new KillTimes(kill.decisionNanos(), kill.lastSignalNanos()));
        killer.unregister(id);
        return times;
      }

      @Override
      public void end() throws IOException, InterruptedException {
        killer.unload();
      }
    };
  }
}
