/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Executors for tests in which no container is frozen or killed. */
public final class TestExecutor {
  private TestExecutor() {}

  /**
   * Creates an executor that sets limits.
   *
   * @param audit receives its lines; empty if they are not needed
   * @param failures counts failures
   * @param actuators set the limits; limits that they find are removed
   */
  public static ActionExecutor of(
      Optional<AuditLog> audit, Counter failures, Map<Limit, Actuator> actuators) {
    ActionExecutor executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), id -> {}),
            Audit.direct(audit, Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    executor.use(actuators);
    return executor;
  }
}
