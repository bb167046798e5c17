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
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Predicts the peak memory of a job's containers: a percentile over a bounded window of measured
 * peaks in which older ones have less weight (Charon paper, section 4.2, names the history of
 * recurring jobs and leaves the estimator open).
 *
 * <p>If too few peaks of a job are known, those of its wider key are used. If there are too few of
 * those as well, the job is expected to use the same share of its request as other jobs on this
 * node: the same percentile over the newest containers of all jobs, or its whole request while
 * there are too few of them. This fallback is our choice.
 */
public final class PeakProfile {
  /** Minimum number of peaks that are used, because one short container says little. Our choice. */
  static final int MINIMUM_SAMPLES = 3;

  /** Minimum number of containers of any job that predict an unknown job. Our choice. */
  static final int MIN_SAMPLES_OF_ALL_JOBS = 20;

  /** Number of newest containers of any job that are kept. Our choice. */
  private static final int MAX_SAMPLES_OF_ALL_JOBS = 100;

  /** Shares of requests are stored in millionths. */
  private static final long WHOLE = 1_000_000;

  /**
   * Maximum number of keys of this node, and of keys that only other nodes have told; the least
   * recently used one is dropped first. Our choice.
   */
  static final int MAX_JOBS = 1000;

  private final int windowSamples;
  private final int percentile;
  private final PeakDecay decay;

  /** The time of the latest call, not the maximum of all times: the clock may be set back. */
  private long nowMillis;

  private final PeakWindow sharesOfRequests;
  private final Map<String, PeakWindow> peaks = bounded();

  /** Keys of which this node has measured nothing; however many come, they displace none of its. */
  private final Map<String, PeakWindow> toldByOthers = bounded();

  /**
   * Creates an empty profile in which age has no effect.
   *
   * @param windowSamples measured peaks kept per job, at least 1
   * @param percentile the percentile that is expected, 1 to 100
   */
  public PeakProfile(int windowSamples, int percentile) {
    this(windowSamples, percentile, PeakDecay.OFF);
  }

  /**
   * Creates an empty profile.
   *
   * @param windowSamples measured peaks kept per job, at least 1
   * @param percentile the percentile that is expected, 1 to 100
   * @param decay the weight of peaks by age
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
    this.sharesOfRequests =
        new PeakWindow(MAX_SAMPLES_OF_ALL_JOBS, PeakProfile::shareOfRequest, percentile, decay);
  }

  /**
   * Adds the peak of a finished container.
   *
   * @param job the container's job
   * @param requestedBytes the memory that its application asked for, at least 1
   * @param peakBytes its highest working set; a peak of 0 (never measured) is not recorded
   * @param atMillis when it ended: wall clock, milliseconds since 1970, at least 0
   */
  public void record(JobKey job, long requestedBytes, long peakBytes, long atMillis) {
    if (peakBytes <= 0) {
      return;
    }
    nowMillis = atMillis;
    PeakSample sample = new PeakSample(peakBytes, requestedBytes, atMillis, true);
    own(job.value()).add(sample);
    if (!job.wider().isEmpty()) {
      own(job.wider()).add(sample);
    }
    sharesOfRequests.add(sample);
  }

  /**
   * Adds the peak of a container that was killed, or otherwise cut short, before it was done. It
   * might have needed more, so its peak is recorded only if it shows that the current estimate is
   * too low. Recording it always would lower the estimate with every kill, and so cause the next
   * one.
   *
   * @param job the container's job
   * @param requestedBytes the memory that its application asked for, at least 1
   * @param peakBytes its highest working set so far, 0 if it was never measured
   * @param atMillis when it ended: wall clock, milliseconds since 1970, at least 0
   */
  public void recordTruncated(JobKey job, long requestedBytes, long peakBytes, long atMillis) {
    if (peakBytes > expectedPeakBytes(job, requestedBytes)) {
      record(job, requestedBytes, peakBytes, atMillis);
    }
  }

  /** Returns the peaks of the last containers of a key, oldest first; empty if it is unknown. */
  List<PeakSample> samples(String key) {
    return known(key).map(PeakWindow::samples).orElse(List.of());
  }

  private static Map<String, PeakWindow> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, PeakWindow> eldest) {
        return size() > MAX_JOBS;
      }
    };
  }

  private Optional<PeakWindow> known(String key) {
    return Optional.ofNullable(peaks.get(key)).or(() -> Optional.ofNullable(toldByOthers.get(key)));
  }

  /** Returns the window of a key of this node, with what others have told of it before. */
  private PeakWindow own(String key) {
    return peaks.computeIfAbsent(
        key, unknown -> Optional.ofNullable(toldByOthers.remove(key)).orElseGet(this::emptyWindow));
  }

  /** Returns the window of a key of which other nodes have told. */
  private PeakWindow told(String key) {
    return known(key).orElseGet(() -> toldByOthers.computeIfAbsent(key, unknown -> emptyWindow()));
  }

  private PeakWindow emptyWindow() {
    return new PeakWindow(windowSamples, PeakSample::peakBytes, percentile, decay);
  }

  private static long shareOfRequest(PeakSample sample) {
    return Math.max(1, Math.round((double) WHOLE * sample.peakBytes() / sample.requestedBytes()));
  }

  /**
   * Returns everything that was learned, by key: first those that only other nodes have told, then
   * this node's; of each kind, the least recently used comes first.
   */
  public List<JobPeaks> learned() {
    return Stream.of(toldByOthers, peaks)
        .flatMap(keys -> keys.entrySet().stream())
        .map(entry -> new JobPeaks(new JobKey(entry.getKey()), entry.getValue().samples()))
        .toList();
  }

  /**
   * Restores the peaks that an earlier profile had learned, in its order. This profile's limits on
   * keys and samples apply.
   *
   * @param learned of {@link #learned()}
   * @param atMillis the current wall-clock time
   */
  public void restore(List<JobPeaks> learned, long atMillis) {
    nowMillis = atMillis;
    for (JobPeaks known : learned) {
      String key = known.job().value();
      boolean measured = known.samples().stream().anyMatch(PeakSample::own);
      known.samples().forEach((measured ? own(key) : told(key))::add);
    }
    learned.stream()
        .flatMap(known -> known.samples().stream())
        .filter(sample -> sample.requestedBytes() > 0)
        // A sample may be listed for its key and for the wider one; time and bytes identify it.
        .distinct()
        .sorted(Comparator.comparingLong(PeakSample::atMillis))
        .forEach(sharesOfRequests::add);
  }

  /**
   * Adds peaks of containers on other nodes. A peak that is already known is not counted again. A
   * full window keeps this node's own peaks, and of others the newest, and an expected peak does
   * not fall below that of three own ones.
   *
   * @param others peaks that were measured elsewhere
   * @param atMillis the current wall-clock time
   * @return the number of keys among them that were unknown before
   */
  public int learn(List<JobPeaks> others, long atMillis) {
    nowMillis = atMillis;
    int unknownJobs = 0;
    for (JobPeaks told : others) {
      if (told.samples().isEmpty()) {
        continue;
      }
      if (known(told.job().value()).isEmpty()) {
        unknownJobs++;
      }
      told(told.job().value()).merge(told.samples(), atMillis);
      sharesOfRequests.merge(
          told.samples().stream().filter(sample -> sample.requestedBytes() > 0).toList(), atMillis);
    }
    return unknownJobs;
  }

  /**
   * Returns the expected peak of the next container of a job.
   *
   * @param job the container's job
   * @param requestedBytes the memory that its application asked for, at least 1
   * @return bytes; at most the request for a job that is not known
   */
  public long expectedPeakBytes(JobKey job, long requestedBytes) {
    Objects.requireNonNull(job, "job");
    for (String key : List.of(job.value(), job.wider())) {
      Optional<PeakWindow> window = known(key);
      if (window.isPresent() && window.get().count() >= Math.min(MINIMUM_SAMPLES, windowSamples)) {
        return window.get().percentile(nowMillis);
      }
    }
    if (sharesOfRequests.count() < MIN_SAMPLES_OF_ALL_JOBS) {
      return requestedBytes;
    }
    double share = (double) sharesOfRequests.percentile(nowMillis) / WHOLE;
    return Math.min(requestedBytes, (long) Math.ceil(share * requestedBytes));
  }
}
