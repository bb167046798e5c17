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
 * What of its own peaks a node has not yet told, and up to where it has heard. A ResourceManager
 * that has forgotten everything is told all again.
 */
final class PendingPeakReports {
  private final String sender = UUID.randomUUID().toString();
  private final Map<String, Set<SharedJob.Sample>> told = new HashMap<>();
  private String run = "";
  private long sequence;

  /**
   * What is to be told next, as much as a message takes.
   *
   * @param learned all that the node knows
   */
  List<SharedJob> of(List<JobPeaks> learned) {
    List<SharedJob> mine = new ArrayList<>();
    Map<String, Set<SharedJob.Sample>> kept = new HashMap<>();
    for (JobPeaks known : learned) {
      String job = known.job().value();
      if (job.isEmpty() || job.length() > SharedJob.LONGEST_NAME) {
        continue;
      }
      Set<SharedJob.Sample> before = told.getOrDefault(job, Set.of());
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
    // What the profile has forgotten is forgotten here, too: this never holds more than it does.
    told.clear();
    told.putAll(kept);
    return PeakMessages.firstOf(mine);
  }

  PeakReport report(List<SharedJob> mine) {
    return new PeakReport(sender, run, sequence, mine);
  }

  /**
   * The ResourceManager has answered.
   *
   * @param mine what it was told
   * @param news its answer
   * @return whether it is another one than before, or has forgotten what it was told before
   */
  boolean told(List<SharedJob> mine, PeakNews news) {
    boolean newRun = !news.run().equals(run);
    if (newRun) {
      told.clear();
    }
    for (SharedJob job : mine) {
      told.computeIfAbsent(job.job(), name -> new HashSet<>()).addAll(job.samples());
    }
    run = news.run();
    sequence = news.sequence();
    return newRun;
  }
}
