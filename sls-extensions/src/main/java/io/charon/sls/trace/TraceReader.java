/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the jobs of a trace. A job is returned once it is completely known, so the order is not
 * that of submission.
 */
public interface TraceReader extends Closeable {
  /**
   * Returns the next job.
   *
   * @return the job; empty at the end
   * @throws IOException if the trace cannot be read; the message names file, line and cause
   */
  Optional<TraceJob> next() throws IOException;

  /**
   * Returns the trace's description of its cell, which is complete only at the end of the trace.
   *
   * @return the cell; empty if the trace does not describe it
   */
  Optional<TracedCell> cell();

  /** Returns the origin of the jobs, in one line for the header of the workload. */
  String provenance();

  /** Returns the number of input rows read so far. */
  long rows();

  /**
   * Returns the number of tasks and jobs that were left out, by reason, in the order in which the
   * reasons occurred.
   */
  Map<String, Long> leftOut();
}
