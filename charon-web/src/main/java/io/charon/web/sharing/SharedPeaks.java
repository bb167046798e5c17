/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import io.charon.web.sharing.PeakMessages.Room;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The peaks reported by all nodes, in the ResourceManager's memory: the newest peaks of each job,
 * each with a sequence number, so that a node receives only those that are new to it. A restart
 * loses all peaks. The name of the new run then makes each node report everything it has measured.
 */
public final class SharedPeaks {
  /** A peak dated further in the future comes from a wrong clock and is ignored. Our choice. */
  private static final long MAX_AHEAD_MILLIS = 3_600_000;

  private record ReportedPeak(long sequence, String sender, String job, SharedJob.Sample sample) {}

  private final String run;
  private final int mostJobs;
  private final int samplesPerJob;

  /** Ordered by the last report: the job without a report for the longest time comes first. */
  private final Map<String, List<ReportedPeak>> jobs = new LinkedHashMap<>(16, 0.75f, true);

  private final TreeMap<Long, ReportedPeak> inOrder = new TreeMap<>();
  private long sequence;

  /**
   * Creates an empty collection.
   *
   * @param run a name that no other run has, letters, digits and hyphens
   * @param mostJobs maximum number of jobs; the one without a report for the longest time is
   *     dropped first
   * @param samplesPerJob maximum number of peaks per job; the newest are kept
   */
  public SharedPeaks(String run, int mostJobs, int samplesPerJob) {
    if (mostJobs < 1 || samplesPerJob < 1) {
      throw new IllegalArgumentException(
          "at least one job and one sample, got %d and %d".formatted(mostJobs, samplesPerJob));
    }
    this.run = run;
    this.mostJobs = mostJobs;
    this.samplesPerJob = samplesPerJob;
  }

  /**
   * Takes a node's report and returns the news for it.
   *
   * @param report the node's report
   * @param nowMillis now, wall clock
   */
  public synchronized PeakNews exchange(PeakReport report, long nowMillis) {
    for (SharedJob job : report.jobs()) {
      for (SharedJob.Sample sample : job.samples()) {
        if (sample.at() <= nowMillis + MAX_AHEAD_MILLIS) {
          take(report.sender(), job.job(), sample);
        }
      }
    }
    return newsFor(report.sender(), report.run().equals(run) ? report.sequence() : 0);
  }

  /** Number of peaks that are kept. */
  public synchronized int size() {
    return inOrder.size();
  }

  private void take(String sender, String job, SharedJob.Sample sample) {
    List<ReportedPeak> known = jobs.computeIfAbsent(job, name -> new ArrayList<>());
    // The same container, reported again after a restart of its node or of the ResourceManager.
    if (known.stream().anyMatch(told -> told.sample().equals(sample))) {
      return;
    }
    ReportedPeak told = new ReportedPeak(++sequence, sender, job, sample);
    known.add(told);
    inOrder.put(told.sequence(), told);
    if (known.size() > samplesPerJob) {
      ReportedPeak oldest =
          known.stream()
              .min(Comparator.comparingLong((ReportedPeak one) -> one.sample().at()))
              .orElseThrow();
      known.remove(oldest);
      inOrder.remove(oldest.sequence());
    }
    if (jobs.size() > mostJobs) {
      String longest = jobs.keySet().iterator().next();
      jobs.remove(longest).forEach(gone -> inOrder.remove(gone.sequence()));
    }
  }

  private PeakNews newsFor(String node, long after) {
    Map<String, List<SharedJob.Sample>> news = new LinkedHashMap<>();
    Room room = new Room();
    long upTo = after;
    for (ReportedPeak told : inOrder.tailMap(after, false).values()) {
      if (!room.isLeft()) {
        return new PeakNews(run, upTo, true, asJobs(news));
      }
      upTo = told.sequence();
      if (!told.sender().equals(node)) {
        if (!news.containsKey(told.job())) {
          room.takeJob(told.job());
          news.put(told.job(), new ArrayList<>());
        }
        room.takeSamples(1);
        news.get(told.job()).add(told.sample());
      }
    }
    return new PeakNews(run, sequence, false, asJobs(news));
  }

  private static List<SharedJob> asJobs(Map<String, List<SharedJob.Sample>> news) {
    return news.entrySet().stream()
        .map(entry -> new SharedJob(entry.getKey(), entry.getValue()))
        .toList();
  }
}
