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
 * One mechanism that acts as in a NodeManager, without the NodeManager: it kills nobody, and leaves
 * no audit.
 */
public final class LoneMechanism implements AutoCloseable {
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

  /** Starts it, with what sets its limits, in the mode that it has. */
  public LoneMechanism(MechanismParts parts) {
    runner = new MechanismRunner(parts.entries(), executor);
    executor.use(parts.actuators());
    runner.start();
  }

  /** Decides by what was seen, and acts. */
  public void tick(Snapshot seen) {
    runner.tick(seen);
  }

  /** What it says of itself. */
  public MechanismRunner.State state() {
    return runner.states().get(0);
  }

  /** How often something could not be set. */
  public long failures() {
    return failures.getCount();
  }

  /** Takes back what it set. */
  @Override
  public void close() {
    executor.close();
  }
}
