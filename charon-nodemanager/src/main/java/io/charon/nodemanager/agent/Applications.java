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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a node knows of applications beyond their containers: by their names jobs are told apart,
 * and the ApplicationMasters of best-effort ones weigh less. Nobody is asked where neither is
 * wanted. Thread-safe.
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
   * Knows nobody yet.
   *
   * @param settings how masters are treated now
   * @param launches whether jobs are learned
   * @param learning whether they are told apart by name
   * @param cgroups take the masters' weights
   * @param directory makes who is asked, if anybody is; closed with this
   * @param nanoClock monotonic nanoseconds
   */
  Applications(
      Optional<MasterSettings> settings,
      NodeLaunches launches,
      NodeLearning learning,
      ContainerCgroups cgroups,
      Supplier<ApplicationDirectory> directory,
      LongSupplier nanoClock) {
    this.settings = settings;
    this.launches = launches;
    this.learning = learning;
    this.directory = directory;
    this.nanoClock = nanoClock;
    this.masters = new MasterWeights(this::isBestEffort, cgroups::weigh);
    ask();
  }

  /** The operator wants another mode, or masters treated otherwise. */
  void change(Optional<MasterSettings> wanted) {
    settings = wanted;
    ask();
  }

  private void ask() {
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
            .orElse(OptionalInt.empty()));
  }

  private Optional<Boolean> isBestEffort(String application) {
    return settings.flatMap(
        wanted ->
            names
                .flatMap(known -> known.known(application))
                .map(entry -> wanted.isBestEffort(entry.tags(), entry.queue())));
  }

  /**
   * The lower CPU weight of a container that manages a best-effort application.
   *
   * @return percent of a production container's; empty for everybody else
   */
  OptionalInt masterWeight(String containerId) {
    return masters.weightOf(containerId);
  }

  /** A best-effort container of an application is going to ask to start. */
  void expect(String applicationId) {
    if (learning.wantsNames() && launches.learning().isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
    }
  }

  /** The ApplicationMaster of an application is going to start. */
  void expectMaster(String applicationId) {
    if (settings.isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
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

  /** Looks whether more is known of the masters by now. */
  void tick() {
    masters.tick();
  }

  @Override
  public void close() {
    names.ifPresent(ApplicationNames::close);
  }
}
