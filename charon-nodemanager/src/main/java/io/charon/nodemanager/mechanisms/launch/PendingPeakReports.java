/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.PeakSample;
import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.PeakReport;
import io.charon.web.sharing.SharedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Tracks which of its own peaks a node has not reported yet, and the sequence number up to which it
 * has received those of others. A ResourceManager that has lost its state gets all peaks again.
 */
final class PendingPeakReports {
  private final String sender = UUID.randomUUID().toString();
  private final Map<String, Set<SharedJob.Sample>> reported = new HashMap<>();
  private String run = "";
  private long sequence;

  /**
   * Returns the peaks to report next, at most as many as fit in a message.
   *
   * @param learned all peaks that the node knows
   */
  List<SharedJob> of(List<JobPeaks> learned) {
    List<SharedJob> mine = new ArrayList<>();
    Map<String, Set<SharedJob.Sample>> kept = new HashMap<>();
    for (JobPeaks known : learned) {
      String job = known.job().value();
      if (job.isEmpty() || job.length() > SharedJob.LONGEST_NAME) {
        continue;
      }
      Set<SharedJob.Sample> before = reported.getOrDefault(job, Set.of());
      Set<SharedJob.Sample> still = new HashSet<>();
      List<SharedJob.Sample> fresh = new ArrayList<>();
      for (PeakSample sample : known.samples()) {
        if (sample.own()) {
          SharedJob.Sample own =
              new SharedJob.Sample(sample.peakBytes(), sample.requestedBytes(), sample.atMillis());
          if (before.contains(own)) {
            still.add(own);
          } else {
            fresh.add(own);
          }
        }
      }
      if (!still.isEmpty()) {
        kept.put(job, still);
      }
      if (!fresh.isEmpty()) {
        mine.add(new SharedJob(job, fresh));
      }
    }
    // Forget the peaks that the profile has forgotten, so that this map never holds more than it.
    reported.clear();
    reported.putAll(kept);
    return PeakMessages.firstOf(mine);
  }

  PeakReport report(List<SharedJob> mine) {
    return new PeakReport(sender, run, sequence, mine);
  }

  /**
   * Handles the ResourceManager's answer.
   *
   * @param mine the reported peaks
   * @param news the answer
   * @return whether the ResourceManager is a different one, or has lost the peaks reported before
   */
  boolean answered(List<SharedJob> mine, PeakNews news) {
    boolean newRun = !news.run().equals(run);
    if (newRun) {
      reported.clear();
    }
    for (SharedJob job : mine) {
      reported.computeIfAbsent(job.job(), name -> new HashSet<>()).addAll(job.samples());
    }
    run = news.run();
    sequence = news.sequence();
    return newRun;
  }
}
