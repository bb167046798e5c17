/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A YARN whose answers are set by the test, empty by default; by default no container may be
 * killed.
 */
public final class FakeYarn implements YarnSide {
  /** A directory without applications. */
  public static final ApplicationDirectory NO_APPLICATIONS = directory(id -> Optional.empty());

  private volatile Supplier<Map<String, Long>> rootProcesses = Map::of;
  private volatile Supplier<List<ContainerInfo>> waiting = List::of;
  private volatile Function<String, Phase> phases = id -> Phase.STARTING;
  private volatile Supplier<ApplicationDirectory> applications = () -> NO_APPLICATIONS;
  private volatile ContainerControl.Killer terminator =
      id -> {
        throw new AssertionError(id);
      };
  private volatile ContainerControl.Killer killer =
      id -> {
        throw new AssertionError(id);
      };

  public FakeYarn rootProcesses(Supplier<Map<String, Long>> processes) {
    rootProcesses = processes;
    return this;
  }

  public FakeYarn waiting(Supplier<List<ContainerInfo>> inQueue) {
    waiting = inQueue;
    return this;
  }

  public FakeYarn phases(Function<String, Phase> known) {
    phases = known;
    return this;
  }

  public FakeYarn applications(Supplier<ApplicationDirectory> known) {
    applications = known;
    return this;
  }

  public FakeYarn killer(ContainerControl.Killer kills) {
    killer = kills;
    return this;
  }

  public FakeYarn terminator(ContainerControl.Killer asks) {
    terminator = asks;
    return this;
  }

  /** Creates a directory whose entries come from a function. */
  static ApplicationDirectory directory(
      Function<String, Optional<ApplicationDirectory.Entry>> known) {
    return new ApplicationDirectory() {
      @Override
      public Optional<Entry> find(String applicationId) {
        return known.apply(applicationId);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Map<String, Long> rootProcesses() {
    return rootProcesses.get();
  }

  @Override
  public List<ContainerInfo> waiting() {
    return waiting.get();
  }

  @Override
  public Phase phase(String containerId) {
    return phases.apply(containerId);
  }

  @Override
  public ApplicationDirectory applications() {
    return applications.get();
  }

  @Override
  public void kill(String containerId) throws IOException {
    killer.kill(containerId);
  }

  @Override
  public void terminate(String containerId) throws IOException {
    terminator.kill(containerId);
  }
}
