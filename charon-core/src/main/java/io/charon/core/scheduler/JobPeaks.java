/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.List;
import java.util.Objects;

/**
 * The measured peaks of one recurring job.
 *
 * @param job the job
 * @param samples the peaks, oldest first
 */
public record JobPeaks(JobKey job, List<PeakSample> samples) {
  /** Checks that there is a job, and copies the list. */
  public JobPeaks {
    Objects.requireNonNull(job, "job");
    samples = List.copyOf(samples);
  }
}
