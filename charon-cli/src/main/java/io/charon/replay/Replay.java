/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SchedulerKeys;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingReader;
import io.charon.nodemanager.report.recording.RecordingWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** Replays a recording, file by file: each file begins with the complete state of the node. */
public final class Replay {
  private final Map<String, String> changes;

  /**
   * Creates a replay with other settings.
   *
   * @param changes keys and their values; all other keys keep the values of the recording
   * @throws IllegalArgumentException if a key has no effect on a replay
   */
  public Replay(Map<String, String> changes) {
    changes.keySet().forEach(Replay::requireEffect);
    this.changes = Map.copyOf(changes);
  }

  /** The keys that a replay can change. */
  public static Set<String> keys() {
    return new TreeSet<>(
        Set.of(
            SchedulerKeys.QUEUE_ORDER,
            SchedulerKeys.QUEUE_AGING,
            SchedulerKeys.ESTIMATE,
            SchedulerKeys.KILLS_PER_HOUR,
            SchedulerKeys.RESYNC,
            SchedulerKeys.LAUNCH_BACKOFF,
            SchedulerKeys.STARTS_PER_CORE,
            SchedulerKeys.START_WINDOW,
            SchedulerKeys.RUNNABLE_PER_CORE,
            SchedulerKeys.WINDOW_SAMPLES,
            SchedulerKeys.PERCENTILE,
            SchedulerKeys.HALF_LIFE));
  }

  private static void requireEffect(String key) {
    if (!keys().contains(key)) {
      throw new IllegalArgumentException(
          key + " has no effect on a replay; choose from " + String.join(", ", keys()));
    }
  }

  /**
   * Lists the files of a recording.
   *
   * @param path one file, or the directory of a recording
   * @throws IOException if there is none, or the directory cannot be read
   */
  public static List<Path> files(Path path) throws IOException {
    List<Path> files = Files.isDirectory(path) ? RecordingWriter.files(path) : List.of(path);
    if (files.isEmpty()) {
      throw new IOException(
          "%s contains no recording (%s): is yarn.nodemanager.charon.recording.directory set on that node?"
              .formatted(path, RecordingWriter.NEWEST));
    }
    return files;
  }

  /**
   * Replays files.
   *
   * @param files in order; those without a complete line are left out
   * @throws IOException if a file cannot be read or is not a recording, or if no file has a
   *     complete line
   * @throws SettingsException if a changed value cannot be used
   */
  public ReplayResult run(List<Path> files) throws IOException, SettingsException {
    ReplayTally tally = new ReplayTally();
    long lines = 0;
    for (Path file : files) {
      RecordingReader reader = new RecordingReader(file);
      Map<String, Long> peaks = new HashMap<>();
      Map<String, String> keys = new HashMap<>();
      long complete =
          reader.read(
              line -> {
                if (line instanceof Recorded.Begun begun) {
                  keys.putAll(begun.keys());
                } else if (line instanceof Recorded.Ended ended) {
                  peaks.put(ended.containerId(), ended.peakBytes());
                }
              });
      if (complete == 0) {
        continue;
      }
      lines += complete;
      ReplayedNode node = new ReplayedNode(settings(keys), peaks, tally);
      long unused = reader.read(node::accept);
      node.end();
    }
    if (lines == 0) {
      throw new IOException(
          files.get(0) + " has no complete line yet: a node writes the first ones within 2 s");
    }
    return tally.result();
  }

  private CharonSettings settings(Map<String, String> keys) throws SettingsException {
    Configuration configuration = new Configuration(false);
    keys.forEach(configuration::set);
    changes.forEach(configuration::set);
    // These do not affect decisions, but reading them would need more of YARN's keys.
    configuration.set(SchedulerKeys.SHARE_PEAKS, "false");
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "1");
    return SettingsReader.read(configuration, MechanismList.keys());
  }
}
