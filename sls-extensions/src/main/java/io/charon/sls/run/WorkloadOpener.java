/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;

/** Opens a workload from its beginning, once for every run; must be thread-safe. */
@FunctionalInterface
public interface WorkloadOpener {
  /**
   * Opens the workload.
   *
   * @param seed seed of the run, for generated workloads
   * @throws IOException if the workload cannot be read
   */
  WorkloadSource open(long seed) throws IOException;
}
