/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays one script on the real kernel and records what happens. */
final class RoundRun {
  private static final Duration SETTLE = Duration.ofMillis(1500);
  private static final long SAMPLE_MILLIS = 100;

  private final NativeTools tools;
  private final PressureCell cell;
  private final CellKiller killer;
  private final ScratchFiles files;
  private final RoundScript script;
  private final Map<String, MemoryContainer> containers = new LinkedHashMap<>();
  private final List<RoundSample> samples = new ArrayList<>();
  private List<RoundKill> kills = List.of();

  RoundRun(
      NativeTools tools,
      PressureCell cell,
      CellKiller killer,
      ScratchFiles files,
      RoundScript script) {
    this.tools = tools;
    this.cell = cell;
    this.killer = killer;
    this.files = files;
    this.script = script;
  }

  /** Plays the script with the loaded killer and returns the verdict. */
  RoundVerdict play(Duration tolerance, Duration episode) throws IOException, InterruptedException {
    files.dropPageCache();
    cell.dropOrphanedPageCache();
    cell.limit(script.limitMegabytes());
    for (ScriptedContainer one : script.containers()) {
      if (!one.isGuilty()) {
        start(one);
      }
    }
    sampleFor(SETTLE);
    for (ScriptedContainer one : script.guilty()) {
      start(one);
    }
    watch(tolerance, episode);
    kills = recordedKills();
    return RoundVerdict.of(script, kills, samples, tolerance);
  }

  /** Returns the kills of the round; empty before the round has been played. */
  List<RoundKill> kills() {
    return kills;
  }

  /** Removes the containers that the round created. */
  void end() throws IOException, InterruptedException {
    for (MemoryContainer container : containers.values()) {
      // The helper forgets a removed container by itself, and then nothing is left to unregister.
      killer.unregister(container.id());
      container.remove();
    }
  }

  private void start(ScriptedContainer one) throws IOException, InterruptedException {
    MemoryContainer container = cell.container(one.name());
    containers.put(one.name(), container);
    if (one.role() == Role.BEST_EFFORT) {
      killer.registerKillable(container, Duration.ofSeconds(one.ageSeconds()));
    } else {
      killer.registerWatched(container);
    }
    container.start(Redirect.DISCARD, command(one));
  }

  private List<String> command(ScriptedContainer one) {
    String workload = tools.workload().toString();
    String megabytes = Integer.toString(one.workingSetMegabytes());
    return switch (one.behaviour()) {
      case ANONYMOUS -> List.of(workload, "anonymous", megabytes, "1");
      case FILE -> List.of(workload, "file", files.random().toString(), megabytes, "2");
      case IDLE -> List.of(workload, "idle", Integer.toString(one.workingSetMegabytes() - 2));
      case STREAM -> List.of(workload, "stream", files.stream().toString(), "1");
      case REREAD -> List.of(workload, "stream", files.reread().toString(), "100000");
      case SPILL -> List.of(workload, "spill", files.spill().toString(), "60");
      case FORKS -> List.of(workload, "bursts", "20");
      case JAVA ->
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx" + JavaHeapLoad.HEAP_MEGABYTES + "m",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("java.class.path"),
              JavaHeapLoad.class.getName());
    };
  }

  /**
   * Samples while a guilty container is alive and its episode lasts, and then until the relief of
   * the last kill is visible.
   */
  private void watch(Duration tolerance, Duration episode)
      throws IOException, InterruptedException {
    if (script.guilty().isEmpty()) {
      sampleFor(tolerance.plus(RoundVerdict.GRACE));
      return;
    }
    // A second guilty container needs a second episode.
    Duration limit = episode.multipliedBy(script.guilty().size());
    long end = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < end && anyGuiltyAlive()) {
      sample();
    }
    sampleFor(RoundVerdict.RELIEF_SEEN_AFTER);
  }

  private boolean anyGuiltyAlive() throws IOException {
    for (ScriptedContainer one : script.guilty()) {
      if (containers.get(one.name()).isPopulated()) {
        return true;
      }
    }
    return false;
  }

  private void sampleFor(Duration duration) throws IOException, InterruptedException {
    long end = System.nanoTime() + duration.toNanos();
    do {
      sample();
    } while (System.nanoTime() < end);
  }

  private void sample() throws IOException, InterruptedException {
    Map<String, RoundSample.State> states = new HashMap<>();
    for (Map.Entry<String, MemoryContainer> entry : containers.entrySet()) {
      MemoryContainer container = entry.getValue();
      states.put(
          entry.getKey(), new RoundSample.State(container.statistics(), container.isPopulated()));
    }
    samples.add(new RoundSample(System.nanoTime(), states));
    Thread.sleep(SAMPLE_MILLIS);
  }

  private List<RoundKill> recordedKills() throws IOException, InterruptedException {
    Map<Long, String> names = new HashMap<>();
    for (Map.Entry<String, MemoryContainer> entry : containers.entrySet()) {
      names.put(entry.getValue().id(), entry.getKey());
    }
    return killer.kills().stream()
        .filter(kill -> names.containsKey(kill.victimId()))
        .map(
            kill ->
                new RoundKill(
                    names.get(kill.victimId()),
                    kill.decisionNanos(),
                    kill.victimBytes(),
                    names.get(kill.triggerId()),
                    kill.series()))
        .toList();
  }
}
