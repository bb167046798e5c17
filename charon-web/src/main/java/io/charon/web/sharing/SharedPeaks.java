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
 * What all nodes have told, in the ResourceManager's memory: the newest peaks of each job, each
 * with a sequence number, so that a node hears only what came since it last asked. A restart
 * forgets everything; the new run's name then makes each node tell all it has measured.
 */
public final class SharedPeaks {
  /** A peak of later than this was dated by a wrong clock and is not taken (ours). */
  private static final long MAX_AHEAD_MILLIS = 3_600_000;

  private record Told(long sequence, String sender, String job, SharedJob.Sample sample) {}

  private final String run;
  private final int mostJobs;
  private final int samplesPerJob;

  /** The job that nobody has told of for longest comes first. */
  private final Map<String, List<Told>> jobs = new LinkedHashMap<>(16, 0.75f, true);

  private final TreeMap<Long, Told> inOrder = new TreeMap<>();
  private long sequence;

  /**
   * Nothing is known yet.
   *
   * @param run a name that no other run has, letters, digits and hyphens
   * @param mostJobs kept; the one that nobody has told of for longest is forgotten first
   * @param samplesPerJob kept, the newest
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
   * A node tells and hears.
   *
   * @param report what it tells
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

  /** Peaks that are kept. */
  public synchronized int size() {
    return inOrder.size();
  }

  private void take(String sender, String job, SharedJob.Sample sample) {
    List<Told> known = jobs.computeIfAbsent(job, name -> new ArrayList<>());
    // The same container, told again after a restart of its node or of the ResourceManager.
    if (known.stream().anyMatch(told -> told.sample().equals(sample))) {
      return;
    }
    Told told = new Told(++sequence, sender, job, sample);
    known.add(told);
    inOrder.put(told.sequence(), told);
    if (known.size() > samplesPerJob) {
      Told oldest =
          known.stream()
              .min(Comparator.comparingLong((Told one) -> one.sample().at()))
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
    for (Told told : inOrder.tailMap(after, false).values()) {
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
