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

/** The kernel UA killer of a benchmark; its domain is one cell. */
final class CellKiller {
  private static final int ATTEMPTS = 50;

  private final UaKiller killer;
  private final Path cell;

  private CellKiller(UaKiller killer, Path cell) {
    this.killer = killer;
    this.cell = cell;
  }

  /** Prepares the killer for one cell without loading it. */
  static CellKiller of(NativeTools tools, PressureCell cell, Cleanup cleanup) {
    String name = "charon-bench-" + ProcessHandle.current().pid();
    return new CellKiller(UaKiller.of(tools.killer(), name, cleanup), cell.directory());
  }

  /**
   * Loads the killer with the cell as its domain.
   *
   * @param arguments arguments of {@code ua-killer load}
   * @param tolerance cgth_time; zero: sample, but never kill
   */
  void load(Duration tolerance, String... arguments) throws IOException, InterruptedException {
    killer.load(arguments);
    killer.run("domain", "add", cell.toString(), "--killable-below", cell.toString());
    killer.run("set", "cgth-time-ms", Long.toString(tolerance.toMillis()));
  }

  /** Selects the refaults of file pages that count, by a value of the killer's own option. */
  void setFileRefaultPolicy(String kind) throws IOException, InterruptedException {
    killer.run("set", "file-refaults", kind);
  }

  boolean isLoaded() {
    return killer.isLoaded();
  }

  /** Starts the helper and waits until it is ready. */
  void startHelper() throws IOException, InterruptedException {
    killer.startHelper();
  }

  /** Registers a container that the killer may kill. */
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

  /** Registers a container that the killer protects: its thrash counts, but it is never killed. */
  void registerWatched(MemoryContainer container) throws IOException, InterruptedException {
    killer.run("register", container.directory().toString(), "--domain", cell.toString());
  }

  /** Removes a container from the killer's registry. */
  void unregister(long id) throws IOException, InterruptedException {
    killer.run("unregister", Long.toString(id));
  }

  /** Returns the most recent kills, oldest first. */
  List<KillDecision> kills() throws IOException, InterruptedException {
    JsonNode kills = killer.status().path("domains").path(0).path("kills");
    List<KillDecision> decisions = new ArrayList<>();
    kills.forEach(kill -> decisions.add(KillDecision.of(kill)));
    return decisions;
  }

  /**
   * Returns the kill of one container with the time of its last signal. If a helper sends the
   * signal, it records that time shortly afterwards, so this method waits for it for about half a
   * second.
   *
   * @return empty if this killer did not kill the container
   */
  Optional<KillDecision> killOf(long container) throws IOException, InterruptedException {
    Optional<KillDecision> found = Optional.empty();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      found = kills().stream().filter(kill -> kill.victimId() == container).findFirst();
      if (found.isEmpty() || found.get().lastSignalNanos().isPresent()) {
        return found;
      }
      Thread.sleep(10);
    }
    return found;
  }

  /** Stops the helper and unloads the killer. */
  void unload() throws IOException, InterruptedException {
    killer.unload();
  }
}
