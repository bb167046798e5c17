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
import io.charon.nodemanager.mechanisms.freeze.NodeFreeze;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.launch.NodeLearning;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the operator's settings, including the mode, to the parts of a node: at the start and
 * whenever they change while the node runs. Changes come from the tick's thread or while no tick
 * runs, because the parts that are replaced must be idle.
 */
final class SettingsFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsFollower.class);

  private final AtomicReference<CharonSettings> inForce;
  private final Parts parts;
  private final MechanismsFactory factory;
  private volatile Optional<SettingsSource> source = Optional.empty();
  private volatile NodeMechanisms mechanisms;

  /** Creates the mechanisms for new settings. */
  @FunctionalInterface
  interface MechanismsFactory {
    /**
     * Creates mechanisms that are not started yet.
     *
     * @param settings the operator's settings
     * @param cleaning whether they work on cgroups that are not in use, in order to clean them up
     */
    NodeMechanisms create(CharonSettings settings, boolean cleaning);
  }

  /**
   * The parts that follow the settings.
   *
   * @param cgroups cgroups of the containers, prepared before any container needs them
   * @param placed records which containers Charon placed
   * @param containers the running containers
   * @param launching the parts by which containers are launched
   * @param killers follow the mode and the rule of the kernel killer
   * @param freeze follows the mode and its own keys
   * @param failures counts changes that could not be applied
   */
  record Parts(
      ContainerCgroups cgroups,
      PlacedContainers placed,
      NodeContainers containers,
      Launching launching,
      NodeKillers killers,
      NodeFreeze freeze,
      Counter failures) {}

  /**
   * The parts by which containers are launched.
   *
   * @param launches follow the mode
   * @param learning starts as soon as the mode is not {@code off}
   * @param applications follow the settings for ApplicationMasters
   * @param signals notify YARN's side that launches are decided differently
   */
  record Launching(
      NodeLaunches launches,
      NodeLearning learning,
      Applications applications,
      NodeSignals signals) {}

  /**
   * Creates a follower; nothing runs yet.
   *
   * @param inForce the settings in force, replaced only by this class
   * @param parts the parts that follow the settings
   * @param factory creates the mechanisms
   */
  SettingsFollower(
      AtomicReference<CharonSettings> inForce, Parts parts, MechanismsFactory factory) {
    this.inForce = inForce;
    this.parts = parts;
    this.factory = factory;
    this.mechanisms = factory.create(inForce.get(), false);
  }

  /** Returns the settings in force. */
  CharonSettings now() {
    return inForce.get();
  }

  /** Returns the mechanisms of the settings in force. */
  NodeMechanisms mechanisms() {
    return mechanisms;
  }

  /** Sets the source of the settings, which each tick reads from now on. */
  void follow(SettingsSource settingsSource) {
    source = Optional.of(settingsSource);
  }

  /** Returns the state of the source for display; empty if the settings cannot change. */
  Optional<SettingsSource.State> source() {
    return source.map(SettingsSource::state);
  }

  /**
   * Starts the mechanisms, after cleaning up what an earlier NodeManager left if this node does not
   * act.
   */
  void start() {
    learn();
    if (!now().places() && parts.cgroups().hasLeftovers()) {
      cleanUpEarlierLimits();
    }
    mechanisms.start();
  }

  /** Starts keeping and sharing what is learned, except in mode {@code off}. */
  private void learn() {
    if (now().mode() != Mode.OFF) {
      parts.launching().learning().start();
    }
  }

  /**
   * Removes the limits that a killed NodeManager left behind; in a mode that does not act, nothing
   * else would remove them.
   */
  private void cleanUpEarlierLimits() {
    mechanisms.close();
    try (NodeMechanisms before = factory.create(now(), true)) {
      before.start();
    }
    mechanisms = factory.create(now(), false);
  }

  /** Applies the settings if they have changed at their source. */
  void tick() {
    source.flatMap(SettingsSource::changed).ifPresent(this::change);
  }

  /**
   * Applies new settings; only those that may change at run time take effect.
   *
   * @param wanted settings read later than the current ones
   */
  void change(CharonSettings wanted) {
    CharonSettings before = now();
    CharonSettings now = before.withLivePartsOf(wanted);
    boolean changesMode = now.mode() != before.mode();
    boolean changesFreeze = changesMode || !now.freeze().equals(before.freeze());
    if (changesMode && now.places()) {
      parts.cgroups().prepare(); // before a container that needs them can start
    }
    inForce.set(now);
    if (changesFreeze) {
      parts.freeze().close(); // while it still knows which containers it froze
    }
    if (changesMode) {
      changeMode(before.mode(), now);
    }
    // Whether the memory limit includes swap depends on the mode of freezing.
    if (changesMode
        || now.freeze().mode() != before.freeze().mode()
        || !now.regulators().equals(before.regulators())) {
      mechanisms.close();
      mechanisms = factory.create(now, false);
      mechanisms.start();
    }
    if (changesFreeze) {
      parts.freeze().change(now);
    }
    if (!changesMode && !now.killers().kernel().equals(before.killers().kernel())) {
      now.killers().kernel().ifPresent(this::changeRule);
    }
    LOG.info("the settings were read again; {}", source());
  }

  /**
   * Switches launches to the new rule first. They start without a reading of the node's memory, so
   * that no launch counts on a reading taken under the old rule. The killers follow.
   */
  private void changeMode(Mode before, CharonSettings now) {
    Launching launching = parts.launching();
    launching.launches().change(now, parts.containers().all());
    launching.signals().gateChanged();
    learn();
    launching.applications().change(now.placement().masters());
    parts.killers().changeMode(now, parts.containers()::withCgroups);
    LOG.info(
        "mode changed from {} to {}: {} containers that Charon placed and {} that it did not place"
            + " continue unchanged",
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
      LOG.warn(
          "cannot change the settings of the kernel killer; its previous settings remain in force",
          e);
    }
  }

  @Override
  public void close() {
    mechanisms.close();
  }
}
