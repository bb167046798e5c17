/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import com.codahale.metrics.Counter;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.report.audit.Audit;
import java.time.Clock;
import java.util.Optional;

/**
 * Runs one mechanism as in a NodeManager, but without the NodeManager: it kills no container and
 * writes no audit.
 */
public final class StandaloneMechanism implements AutoCloseable {
  private final Counter failures = new Counter();
  private final ActionExecutor executor =
      new ActionExecutor(
          new DyingContainers(System::nanoTime, () -> {}),
          (mechanism, id, reason) -> {},
          ContainerControl.of(Optional.empty(), id -> {}),
          Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
          failures,
          System::nanoTime);
  private final MechanismRunner runner;

  /** Starts the mechanism with its actuators in its configured mode. */
  public StandaloneMechanism(MechanismParts parts) {
    runner = new MechanismRunner(parts.entries(), executor);
    executor.use(parts.actuators());
    runner.start();
  }

  /** Lets the mechanism decide from a snapshot and act. */
  public void tick(Snapshot seen) {
    runner.tick(seen);
  }

  /** Returns the state of the mechanism. */
  public MechanismRunner.State state() {
    return runner.states().get(0);
  }

  /** Returns how often an action failed. */
  public long failures() {
    return failures.getCount();
  }

  /** Reverts the limits that the mechanism set. */
  @Override
  public void close() {
    executor.close();
  }
}
