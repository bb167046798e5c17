/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.config.MasterSettings;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.mechanisms.cpuweight.MasterWeights;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import io.charon.nodemanager.mechanisms.launch.ApplicationNames;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.launch.NodeLearning;
import io.charon.nodemanager.report.audit.Audit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The facts about applications that a node needs beyond their containers: their names, which
 * distinguish jobs, and which ApplicationMasters manage best-effort applications and get a lower
 * CPU weight. Makes no requests where neither feature is enabled. Thread-safe.
 */
final class Applications implements ContainerListener, AutoCloseable {
  private final NodeLaunches launches;
  private final NodeLearning learning;
  private final Supplier<ApplicationDirectory> directory;
  private final LongSupplier nanoClock;
  private final MasterWeights masters;
  private volatile Optional<MasterSettings> settings;
  private volatile Optional<ApplicationNames> names = Optional.empty();

  /**
   * Creates an instance that knows no application yet.
   *
   * @param settings current settings for ApplicationMasters; empty if all masters keep the full
   *     weight
   * @param launches provides the learning gate, if jobs are learned in this mode
   * @param learning knows whether jobs are distinguished by name
   * @param cgroups set the CPU weights of the masters
   * @param directory creates the directory of applications, only if it is needed; closed with this
   * @param nanoClock monotonic nanoseconds
   * @param audit gets a line for each weight of a master
   */
  Applications(
      Optional<MasterSettings> settings,
      NodeLaunches launches,
      NodeLearning learning,
      ContainerCgroups cgroups,
      Supplier<ApplicationDirectory> directory,
      LongSupplier nanoClock,
      Audit audit) {
    this.settings = settings;
    this.launches = launches;
    this.learning = learning;
    this.directory = directory;
    this.nanoClock = nanoClock;
    this.masters =
        new MasterWeights(
            this::isBestEffort, cgroups::setCpuWeight, cgroups::cpuTime, nanoClock, audit);
    createNames();
  }

  /** Applies new settings for the mode or for ApplicationMasters. */
  void change(Optional<MasterSettings> wanted) {
    settings = wanted;
    createNames();
  }

  private void createNames() {
    boolean wanted = launches.learning().isPresent() && learning.wantsNames();
    if (names.isEmpty() && (wanted || settings.isPresent())) {
      ApplicationNames known = new ApplicationNames(directory.get(), nanoClock);
      names = Optional.of(known);
      if (learning.wantsNames()) {
        learning.names(known);
      }
    }
    masters.change(
        settings
            .map(MasterSettings::weightPercent)
            .map(OptionalInt::of)
            .orElse(OptionalInt.empty()),
        settings.filter(MasterSettings::idle).isPresent());
  }

  private Optional<Boolean> isBestEffort(String application) {
    return settings.flatMap(
        wanted ->
            names
                .flatMap(known -> known.known(application))
                .map(entry -> wanted.isBestEffort(entry.tags(), entry.queue())));
  }

  /**
   * Returns the lower CPU weight of a container that manages a best-effort application.
   *
   * @return percent of the weight of a production container; empty for every other container
   */
  OptionalInt masterWeight(String containerId) {
    return masters.weightOf(containerId);
  }

  /** Announces that a best-effort container of an application is about to ask for a launch. */
  void expect(String applicationId) {
    if (learning.wantsNames() && launches.learning().isPresent()) {
      names.ifPresent(known -> known.prefetch(applicationId));
    }
  }

  /** Announces that the ApplicationMaster of an application is about to start. */
  void expectMaster(String applicationId) {
    if (settings.isPresent()) {
      names.ifPresent(known -> known.prefetch(applicationId));
    }
  }

  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    if (placed) {
      masters.started(container);
    }
    return Optional.empty();
  }

  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    follow(container, placed);
  }

  @Override
  public void changed(ContainerInfo container, boolean placed) {
    follow(container, placed);
  }

  private void follow(ContainerInfo container, boolean placed) {
    if (placed) {
      masters.moved(container);
    }
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    masters.stopped(containerId);
  }

  /** Updates the masters' weights with what has become known since the last tick. */
  void tick() {
    masters.tick();
  }

  @Override
  public void close() {
    names.ifPresent(ApplicationNames::close);
  }
}
