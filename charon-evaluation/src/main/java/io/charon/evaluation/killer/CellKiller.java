/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.UaKiller;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kernel UA killer of a benchmark, with one cell as its domain. */
final class CellKiller {
  private static final int ATTEMPTS = 50;

  private final UaKiller killer;
  private final Path cell;

  private CellKiller(UaKiller killer, Path cell) {
    this.killer = killer;
    this.cell = cell;
  }

  /** Prepares the killer for one cell; nothing is loaded yet. */
  static CellKiller of(NativeTools tools, PressureCell cell, Cleanup cleanup) {
    String name = "charon-bench-" + ProcessHandle.current().pid();
    return new CellKiller(UaKiller.of(tools.killer(), name, cleanup), cell.directory());
  }

  /**
   * Loads it, with the cell as its domain.
   *
   * @param arguments of {@code ua-killer load}
   * @param tolerance cgth_time; zero: sample, but never kill
   */
  void load(Duration tolerance, String... arguments) throws IOException, InterruptedException {
    killer.load(arguments);
    killer.run("domain", "add", cell.toString(), "--killable-below", cell.toString());
    killer.run("set", "cgth-time-ms", Long.toString(tolerance.toMillis()));
  }

  /** Says which refaults of file pages count, by the killer's own words. */
  void countFileRefaults(String kind) throws IOException, InterruptedException {
    killer.run("set", "file-refaults", kind);
  }

  boolean isLoaded() {
    return killer.isLoaded();
  }

  /** Starts the helper and waits until it works. */
  void startHelper() throws IOException, InterruptedException {
    killer.startHelper();
  }

  /** Registers a container that may die. */
  void registerKillable(MemoryContainer container, Duration age)
      throws IOException, InterruptedException {
    killer.run(
        "register",
        container.directory().toString(),
        "--domain",
        cell.toString(),
        "--score",
        "500",
        "--age-ms",
        Long.toString(age.toMillis()));
  }

  /** Registers a container that may not die; its thrash counts. */
  void registerWatched(MemoryContainer container) throws IOException, InterruptedException {
    killer.run("register", container.directory().toString(), "--domain", cell.toString());
  }

  /** Forgets a container. */
  void unregister(long id) throws IOException, InterruptedException {
    killer.run("unregister", Long.toString(id));
  }

  /** The last kills, oldest first. */
  List<Decision> kills() throws IOException, InterruptedException {
    JsonNode kills = killer.status().path("domains").path(0).path("kills");
    List<Decision> decisions = new ArrayList<>();
    kills.forEach(kill -> decisions.add(Decision.of(kill)));
    return decisions;
  }

  /**
   * The kill of one container, with the time of its last signal. A helper writes that down shortly
   * after the signal itself.
   *
   * @return empty if it was not this killer that ended the container
   */
  Optional<Decision> killOf(long container) throws IOException, InterruptedException {
    Optional<Decision> found = Optional.empty();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      found = kills().stream().filter(kill -> kill.victimId() == container).findFirst();
      if (found.isEmpty() || found.get().lastSignalNanos().isPresent()) {
        return found;
      }
      Thread.sleep(10);
    }
    return found;
  }

  /** Ends the helper and unloads. */
  void unload() throws IOException, InterruptedException {
    killer.unload();
  }
}
