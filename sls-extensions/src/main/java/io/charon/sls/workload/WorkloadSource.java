/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.io.IOException;
import java.util.Optional;

/**
 * Provides jobs one by one, in the order of their submission, because a workload may be a week
 * long.
 */
public interface WorkloadSource extends AutoCloseable {
  /**
   * Returns the next job.
   *
   * @return the job; empty at the end
   * @throws IOException if the source cannot be read; the message names file and line
   */
  Optional<SimulatedJob> next() throws IOException;

  @Override
  void close() throws IOException;
}
