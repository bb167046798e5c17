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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node knows of applications beyond their containers: by their names jobs are told apart,
 * and the ApplicationMasters of best-effort ones weigh less. Nobody is asked where neither is
 * wanted. Thread-safe.
 */
final class Applications implements ContainerListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Applications.class);

  private final NodeLaunches launches;
  private final NodeLearning learning;
  private final ContainerCgroups cgroups;
  private final Supplier<ApplicationDirectory> directory;
  private final LongSupplier nanoClock;
  private volatile Optional<MasterSettings> settings;
  private volatile Optional<ApplicationNames> names = Optional.empty();
  private volatile Optional<MasterWeights> masters = Optional.empty();

  /**
   * Knows nobody yet.
   *
   * @param settings how masters are treated now
   * @param launches whether jobs are learnt
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
    this.cgroups = cgroups;
    this.directory = directory;
    this.nanoClock = nanoClock;
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
    masters = settings.flatMap(wantedOf -> names.map(known -> masters(wantedOf, known)));
  }

  private MasterWeights masters(MasterSettings wanted, ApplicationNames known) {
    return new MasterWeights(
        application ->
            known.known(application).map(entry -> wanted.isBestEffort(entry.tags(), entry.queue())),
        master -> lowerWeight(master, wanted.weightPercent()));
  }

  private void lowerWeight(ContainerInfo master, int percent) {
    cgroups.weigh(master, percent);
    LOG.info(
        "{} manages a best-effort application: its CPU weight is {} % of production's",
        master.containerId(), percent);
  }

  /** A best-effort container of an application is going to ask to start. */
  void expect(String applicationId) {
    if (learning.wantsNames() && launches.learning().isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
    }
  }

  /** The ApplicationMaster of an application is going to start. */
  void expectMaster(String applicationId) {
    if (masters.isPresent()) {
      names.ifPresent(known -> known.expect(applicationId));
    }
  }

  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    follow(container, placed);
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
      masters.ifPresent(weights -> weights.follow(container));
    }
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    masters.ifPresent(weights -> weights.stopped(containerId));
  }

  /** Looks whether more is known of the masters by now. */
  void tick() {
    masters.ifPresent(MasterWeights::tick);
  }

  @Override
  public void close() {
    names.ifPresent(ApplicationNames::close);
  }
}
