/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.PeakSample;
import java.util.List;
import java.util.Objects;

/**
 * Peaks of one job, as a message carries them.
 *
 * @param job key of the job, 1 to {@value #LONGEST_NAME} characters
 * @param samples at most {@value #MAX_SAMPLES}
 */
public record SharedJob(String job, List<Sample> samples) {
  /** Maximum number of characters of a job's key. */
  public static final int LONGEST_NAME = 1024;

  /** Maximum number of samples that a node may keep per job. */
  static final int MAX_SAMPLES = 1000;

  /** 1 PiB: more than a container can have. */
  private static final long MAX_BYTES = 1L << 50;

  /**
   * One peak.
   *
   * @param peak bytes, above 0
   * @param requested bytes; 0 if not known
   * @param at wall clock, milliseconds since 1970
   */
  public record Sample(long peak, long requested, long at) {
    /** Checks the ranges. */
    public Sample {
      if (peak <= 0 || peak > MAX_BYTES || requested < 0 || requested > MAX_BYTES || at < 0) {
        throw new IllegalArgumentException("a sample is out of range");
      }
    }

    static Sample of(PeakSample sample) {
      return new Sample(sample.peakBytes(), sample.requestedBytes(), sample.atMillis());
    }
  }

  /** Checks the ranges. */
  public SharedJob {
    if (job == null || job.isEmpty() || job.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "a job needs a key of 1 to " + LONGEST_NAME + " characters");
    }
    if (samples == null
        || samples.size() > MAX_SAMPLES
        || samples.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("a job needs at most " + MAX_SAMPLES + " samples");
    }
    samples = List.copyOf(samples);
  }

  /** The peaks as a node learns them. */
  public JobPeaks peaks() {
    return new JobPeaks(
        new JobKey(job),
        samples.stream()
            .map(sample -> new PeakSample(sample.peak(), sample.requested(), sample.at(), false))
            .toList());
  }
}
