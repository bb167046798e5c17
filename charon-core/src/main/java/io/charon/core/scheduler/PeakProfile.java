/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Expected peak memory of a job's containers: a percentile over a bounded window of measured peaks
 * in which older ones weigh less (Charon paper, section 4.2, names the history of recurring jobs
 * and leaves the estimator open).
 *
 * <p>While too few of a job are known, those of its wider key count; while too few of them are
 * known, too, it is expected to use as much of its request as others do here: the same percentile
 * over the newest containers of all jobs, and all of its request while there are too few (ours).
 */
public final class PeakProfile {
  /** Peaks needed before they are believed (ours: one short container says little). */
  static final int MINIMUM_SAMPLES = 3;

  /** Containers of any job needed before they say something about one that is unknown (ours). */
  static final int MINIMUM_OF_ALL = 20;

  /** Containers of any job that are kept (ours). */
  private static final int NEWEST_OF_ALL = 100;

  /** Shares of requests are counted in millionths. */
  private static final long WHOLE = 1_000_000;

  /** Keys remembered; the one not used for longest is forgotten first (ours). */
  static final int MAXIMUM_JOBS = 1000;

  private final int windowSamples;
  private final int percentile;
  private final PeakDecay decay;

  /** The time of what came last. Not the latest of all: the clock may have been set back. */
  private long nowMillis;

  private final PeakWindow sharesOfRequests =
      new PeakWindow(NEWEST_OF_ALL, PeakProfile::shareOfRequest);
  private final Map<String, PeakWindow> peaks =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PeakWindow> eldest) {
          return size() > MAXIMUM_JOBS;
        }
      };

  /**
   * Creates an empty profile in which age does not count.
   *
   * @param windowSamples measured peaks kept per job, at least 1
   * @param percentile which of them is expected, 1 to 100
   */
  public PeakProfile(int windowSamples, int percentile) {
    this(windowSamples, percentile, PeakDecay.OFF);
  }

  /**
   * Creates an empty profile.
   *
   * @param windowSamples measured peaks kept per job, at least 1
   * @param percentile which of them is expected, 1 to 100
   * @param decay how a peak loses weight with age
   */
  public PeakProfile(int windowSamples, int percentile, PeakDecay decay) {
    if (windowSamples < 1) {
      throw new IllegalArgumentException("windowSamples must be at least 1, got " + windowSamples);
    }
    if (percentile < 1 || percentile > 100) {
      throw new IllegalArgumentException("percentile must be within 1 and 100, got " + percentile);
    }
    this.windowSamples = windowSamples;
    this.percentile = percentile;
    this.decay = Objects.requireNonNull(decay, "decay");
  }

  /**
   * Adds what a finished container needed.
   *
   * @param job the container's job
   * @param requestedBytes what its application asked for, at least 1
   * @param peakBytes its highest working set; a peak of 0 (never measured) is not recorded
   * @param atMillis when it ended: wall clock, milliseconds since 1970, at least 0
   */
  public void record(JobKey job, long requestedBytes, long peakBytes, long atMillis) {
    if (peakBytes <= 0) {
      return;
    }
    nowMillis = atMillis;
    PeakSample sample = new PeakSample(peakBytes, requestedBytes, atMillis, true);
    window(job.value()).add(sample);
    if (!job.wider().isEmpty()) {
      window(job.wider()).add(sample);
    }
    sharesOfRequests.add(sample);
  }

  /**
   * Adds how far a container had come that was killed, or had to go for another reason, before it
   * was done. It may have needed more: such a peak counts only where it shows that the present
   * estimate is too low. To count it always would lower the estimate with every kill, and so bring
   * the next one about.
   *
   * @param job the container's job
   * @param requestedBytes what its application asked for, at least 1
   * @param peakBytes its highest working set so far, 0 if it was never measured
   * @param atMillis when it ended: wall clock, milliseconds since 1970, at least 0
   */
  public void recordTruncated(JobKey job, long requestedBytes, long peakBytes, long atMillis) {
    if (peakBytes > expectedPeakBytes(job, requestedBytes)) {
      record(job, requestedBytes, peakBytes, atMillis);
    }
  }

  /** What the last containers of a key needed, the oldest first; none if it is not known. */
  List<PeakSample> samples(String key) {
    PeakWindow window = peaks.get(key);
    return window == null ? List.of() : window.samples();
  }

  private PeakWindow window(String job) {
    return peaks.computeIfAbsent(job, key -> new PeakWindow(windowSamples, PeakSample::peakBytes));
  }

  private static long shareOfRequest(PeakSample sample) {
    return Math.max(1, Math.round((double) WHOLE * sample.peakBytes() / sample.requestedBytes()));
  }

  /** All that was learned, by key; the one not used for longest comes first. */
  public List<JobPeaks> learned() {
    return peaks.entrySet().stream()
        .map(entry -> new JobPeaks(new JobKey(entry.getKey()), entry.getValue().samples()))
        .toList();
  }

  /**
   * Takes over what an earlier profile had learned, in its order. What is more than this profile
   * keeps is forgotten as ever.
   *
   * @param learned of {@link #learned()}
   * @param atMillis now, wall clock
   */
  public void restore(List<JobPeaks> learned, long atMillis) {
    nowMillis = atMillis;
    for (JobPeaks known : learned) {
      known.samples().forEach(window(known.job().value())::add);
    }
    learned.stream()
        .flatMap(known -> known.samples().stream())
        .filter(sample -> sample.requestedBytes() > 0)
        // One may be there for its key and for the wider one; time and bytes tell it from others.
        .distinct()
        .sorted(Comparator.comparingLong(PeakSample::atMillis))
        .forEach(sharesOfRequests::add);
  }

  /**
   * Learns what containers of other nodes needed. A peak that is known is not counted again, and a
   * window that is full keeps its newest.
   *
   * @param others peaks that were measured elsewhere
   * @param atMillis now, wall clock
   * @return how many keys there were among them of which nothing was known
   */
  public int learn(List<JobPeaks> others, long atMillis) {
    nowMillis = atMillis;
    int unknownJobs = 0;
    for (JobPeaks told : others) {
      if (told.samples().isEmpty()) {
        continue;
      }
      if (!peaks.containsKey(told.job().value())) {
        unknownJobs++;
      }
      window(told.job().value()).merge(told.samples(), atMillis);
      sharesOfRequests.merge(
          told.samples().stream().filter(sample -> sample.requestedBytes() > 0).toList(), atMillis);
    }
    return unknownJobs;
  }

  /**
   * What the next container of a job is expected to need.
   *
   * @param job the container's job
   * @param requestedBytes what its application asked for, at least 1
   * @return bytes; for a job that is not known, never more than it asked for
   */
  public long expectedPeakBytes(JobKey job, long requestedBytes) {
    Objects.requireNonNull(job, "job");
    for (String key : List.of(job.value(), job.wider())) {
      PeakWindow window = peaks.get(key);
      if (window != null && window.count() >= Math.min(MINIMUM_SAMPLES, windowSamples)) {
        return window.percentile(percentile, decay, nowMillis);
      }
    }
    if (sharesOfRequests.count() < MINIMUM_OF_ALL) {
      return requestedBytes;
    }
    double share = (double) sharesOfRequests.percentile(percentile, decay, nowMillis) / WHOLE;
    return Math.min(requestedBytes, (long) Math.ceil(share * requestedBytes));
  }
}
