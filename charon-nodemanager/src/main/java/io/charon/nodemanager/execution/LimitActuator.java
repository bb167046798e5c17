/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.Decision;
import java.io.IOException;

/** An actuator to which the amount says all. */
public interface LimitActuator extends Actuator {
  @Override
  default String apply(Decision decision) throws IOException {
    return apply(decision.limit());
  }

  /**
   * Limits best-effort work from now on. Setting the limit that holds already changes nothing.
   *
   * @param limit in the unit of the regulator's decision, at least 0
   * @return what was done, for the audit, such as the file and the value written
   * @throws IOException naming the file or the command; what held before may hold still, and the
   *     next tick tries again
   */
  String apply(double limit) throws IOException;
}
