/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.trace.TraceNodeSize;
import io.charon.sls.trace.WorkloadHeader;
import java.util.List;

/** Creates result contexts for tests. */
final class Contexts {
  private Contexts() {}

  static ResultContext of(RunSettings settings) {
    return new ResultContext(
        "a test",
        "charon sls run",
        List.of(
            new WorkloadHeader(
                settings.cluster().nodes().count(),
                new TraceNodeSize(
                    settings.cluster().nodes().size().memoryBytes(),
                    settings.cluster().nodes().size().virtualCores()),
                new WorkloadHeader.Counts(1, 1, 2),
                new WorkloadHeader.UsedOverRequested(0.5, 0.5, 0.5),
                1,
                1,
                "a test",
                List.of())),
        settings.cluster(),
        settings.policies(),
        settings.afterLastSubmission());
  }
}
