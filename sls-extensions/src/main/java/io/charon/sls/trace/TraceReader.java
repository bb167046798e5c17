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

/** Jobs of a trace, each when it is known completely: not in the order of their submission. */
public interface TraceReader extends Closeable {
  /**
   * The next job.
   *
   * @return nothing at the end
   * @throws IOException if the trace cannot be read on; the message names file, line and cause
   */
  Optional<TraceJob> next() throws IOException;

  /**
   * What the trace says of its cell. Known at the end of the trace.
   *
   * @return nothing if the trace does not describe its cell
   */
  Optional<TracedCell> cell();

  /** Where the jobs come from, in one line for the header of the workload. */
  String provenance();

  /** Rows of the input read so far. */
  long rows();

  /** Tasks that were left out, by reason, in the order in which the reasons came up. */
  Map<String, Long> leftOut();
}
