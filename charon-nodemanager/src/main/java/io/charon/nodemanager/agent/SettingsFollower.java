/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import com.codahale.metrics.Counter;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.mechanisms.freeze.NodePause;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.launch.NodeLearning;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the parts of a node to what the operator wants: at the start, and whenever that changes
 * while the node runs, the mode included. What is taken apart here must be at rest: changes come
 * from the tick's thread, or while no tick runs.
 */
final class SettingsFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsFollower.class);

  private final AtomicReference<CharonSettings> inForce;
  private final Parts parts;
  private final MechanismsFactory factory;
  private volatile Optional<SettingsSource> source = Optional.empty();
  private volatile NodeMechanisms mechanisms;

  /** Puts the mechanisms together anew. */
  @FunctionalInterface
  interface MechanismsFactory {
    /**
     * Mechanisms that nobody has started yet.
     *
     * @param settings what the operator wants
     * @param cleaning whether they are to work on cgroups that are not in use, to clean them up
     */
    NodeMechanisms create(CharonSettings settings, boolean cleaning);
  }

  /**
   * What follows the settings.
   *
   * @param cgroups of the containers, made ready before anybody needs them
   * @param placed who got a place
   * @param containers all that run
   * @param launches decide by the mode
   * @param learning starts once Charon does more than nothing
   * @param applications of which masters weigh less
   * @param killers by the mode
   * @param pause by the mode and its own keys
   * @param signals tell YARN's side that somebody else decides
   * @param failures counts what could not be changed
   */
  record Parts(
      ContainerCgroups cgroups,
      PlacedContainers placed,
      NodeContainers containers,
      NodeLaunches launches,
      NodeLearning learning,
      Applications applications,
      NodeKillers killers,
      NodePause pause,
      NodeSignals signals,
      Counter failures) {}

  /**
   * Nothing runs yet.
   *
   * @param inForce the settings of now, replaced here only
   * @param parts follow them
   * @param factory makes the mechanisms
   */
  SettingsFollower(
      AtomicReference<CharonSettings> inForce, Parts parts, MechanismsFactory factory) {
    this.inForce = inForce;
    this.parts = parts;
    this.factory = factory;
    this.mechanisms = factory.create(inForce.get(), false);
  }

  /** The settings of now. */
  CharonSettings now() {
    return inForce.get();
  }

  /** The mechanisms that they call for. */
  NodeMechanisms mechanisms() {
    return mechanisms;
  }

  /** Where the settings come from; looked at by each tick from now on. */
  void follow(SettingsSource settingsSource) {
    source = Optional.of(settingsSource);
  }

  /** What people see of that, if the settings can change. */
  Optional<SettingsSource.State> source() {
    return source.map(SettingsSource::state);
  }

  /** Mechanisms work from now on. */
  void start() {
    learn();
    if (!now().places() && parts.cgroups().anyLeft()) {
      takeAwayWhatAnEarlierLifeSet();
    }
    mechanisms.start();
  }

  /** Where nothing was ever enforced nobody shares or keeps what is learned. */
  private void learn() {
    if (now().mode() != Mode.OFF) {
      parts.learning().start();
    }
  }

  /**
   * A NodeManager that acted and was killed left limits behind; where this one does not act, nobody
   * else would take them away.
   */
  private void takeAwayWhatAnEarlierLifeSet() {
    mechanisms.close();
    try (NodeMechanisms before = factory.create(now(), true)) {
      before.start();
    }
    mechanisms = factory.create(now(), false);
  }

  /** Looks whether the operator wants something else. */
  void tick() {
    source.flatMap(SettingsSource::changed).ifPresent(this::change);
  }

  /**
   * The operator wants something else. Only what may change at run time does.
   *
   * @param wanted read later than the settings of now
   */
  void change(CharonSettings wanted) {
    CharonSettings before = now();
    CharonSettings now = before.withLivePartsOf(wanted);
    boolean changesMode = now.mode() != before.mode();
    boolean changesPause = changesMode || !now.pause().equals(before.pause());
    if (changesMode && now.places()) {
      parts.cgroups().prepare(); // before anybody starts who needs them
    }
    inForce.set(now);
    if (changesPause) {
      parts.pause().close(); // while it still knows whom it froze
    }
    if (changesMode) {
      changeMode(before.mode(), now);
    }
    if (changesMode || !now.regulators().equals(before.regulators())) {
      mechanisms.close();
      mechanisms = factory.create(now, false);
      mechanisms.start();
    }
    if (changesPause) {
      parts.pause().change(now);
    }
    if (!changesMode && !now.kernelKiller().equals(before.kernelKiller())) {
      now.kernelKiller().ifPresent(this::changeRule);
    }
    LOG.info("the settings were read again; {}", source());
  }

  /**
   * First launches go by the new rule, with no reading of the node's memory yet, so that none
   * counts on what was read under the old one; then protection follows.
   */
  private void changeMode(Mode before, CharonSettings now) {
    parts.launches().change(now, parts.containers().all());
    parts.signals().decidesOtherwise();
    learn();
    parts.applications().change(now.masters());
    parts.killers().changeMode(now, parts.containers()::withCgroups);
    LOG.info(
        "mode {} becomes {}: {} containers that Charon placed and {} that it did not go on as they"
            + " are",
        before,
        now.mode(),
        parts.placed().placed(),
        parts.placed().untouched().size());
  }

  private void changeRule(KernelKillerSettings wanted) {
    try {
      parts.killers().changeRule(wanted);
    } catch (KernelKillerException e) {
      parts.failures().inc();
      LOG.warn("the kernel killer goes on by the rule of before", e);
    }
  }

  @Override
  public void close() {
    mechanisms.close();
  }
}
