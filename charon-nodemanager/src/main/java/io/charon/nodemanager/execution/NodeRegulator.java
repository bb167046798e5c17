/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.CoresObservation;
import io.charon.core.law.CoresRegulator;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.Decision;
import io.charon.core.law.Observation;
import io.charon.core.law.Regulator;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.sensor.Measurement;
import io.charon.nodemanager.sensor.NodeSnapshot;
import java.util.Optional;

/**
 * The regulator of one resource on a live node: shows each snapshot to the law, and knows who
 * carries the decision out. For one thread, except {@link #state()}.
 */
public final class NodeRegulator {
  /**
   * What people see of a regulator.
   *
   * @param resource what it regulates
   * @param mode what it may do
   * @param unavailable why it cannot work on this machine, with the cure; empty if it can
   * @param bestEffort what best-effort used at the last tick, in the unit of the limit
   * @param decision the last one; empty before the first tick, and while off
   * @param result what came of it
   */
  public record State(
      Resource resource,
      RegulatorMode mode,
      Optional<String> unavailable,
      Measurement bestEffort,
      Optional<Decision> decision,
      String result) {}

  private final Resource resource;
  private final RegulatorMode mode;
  private final Law law;
  private final Actuator actuator;
  private final Optional<String> blind;
  private Optional<String> powerless = Optional.empty();
  private double capacity;
  private boolean everMeasured;
  private volatile State state;

  /** Makes a decision of what is seen. */
  private interface Law {
    Decision decide(NodeSnapshot snapshot, Observation observation);
  }

  /**
   * A regulator that has seen nothing yet.
   *
   * @param resource what it regulates
   * @param mode what it may do
   * @param law decides
   * @param actuator carries out what is decided
   * @param blind why this machine has no signal for it; empty if it has one
   */
  public NodeRegulator(
      Resource resource,
      RegulatorMode mode,
      Regulator law,
      Actuator actuator,
      Optional<String> blind) {
    this(resource, mode, (snapshot, observation) -> law.decide(observation), actuator, blind);
  }

  private NodeRegulator(
      Resource resource, RegulatorMode mode, Law law, Actuator actuator, Optional<String> blind) {
    this.resource = resource;
    this.mode = mode;
    this.law = law;
    this.actuator = actuator;
    this.blind = blind;
    this.state =
        new State(resource, mode, blind, Measurement.missing("no tick yet"), Optional.empty(), "");
  }

  /**
   * The regulator of cores, which has seen nothing yet.
   *
   * @param settings how cores follow the foreground
   * @param mode what it may do
   * @param split the cores that the operator gave best-effort; empty for all
   * @param actuator carries out what is decided
   * @param blind why this machine has no signal for it; empty if it has one
   */
  public static NodeRegulator ofCores(
      CoresSettings settings,
      RegulatorMode mode,
      Optional<Cores> split,
      Actuator actuator,
      Optional<String> blind) {
    CoresRegulator law = new CoresRegulator(settings);
    return new NodeRegulator(
        Resource.cores(settings.followLoad(), split),
        mode,
        (snapshot, observation) ->
            law.decide(
                new CoresObservation(
                    observation,
                    snapshot.cores().usableOf(split),
                    snapshot.cores().pinned(),
                    snapshot.cores().busy())),
        actuator,
        blind);
  }

  /** What it regulates. */
  public Resource resource() {
    return resource;
  }

  /** What it may do. */
  public RegulatorMode mode() {
    return mode;
  }

  /** What it showed last. Safe for all threads. */
  public State state() {
    return state;
  }

  Actuator actuator() {
    return actuator;
  }

  /** Asks the actuator, once, whether it can act here. */
  void start() {
    powerless = mode == RegulatorMode.ENFORCE ? actuator.unavailable() : Optional.empty();
    state = new State(resource, mode, unavailable(), state.bestEffort(), Optional.empty(), "");
  }

  /** Why nothing is decided, or nothing carried out; empty if all is well. */
  Optional<String> unavailable() {
    return blind.or(() -> powerless);
  }

  /**
   * Whether decisions may be carried out: something must have been seen before anything is done.
   */
  boolean mayAct() {
    return mode == RegulatorMode.ENFORCE && unavailable().isEmpty() && everMeasured;
  }

  /** Decides; nothing while off, or where there is no signal. */
  Optional<Decision> decide(NodeSnapshot snapshot) {
    if (mode == RegulatorMode.OFF || blind.isPresent()) {
      return Optional.empty();
    }
    Measurement signal = resource.signal().apply(snapshot);
    resource.use().apply(snapshot).capacity().value().ifPresent(known -> capacity = known);
    everMeasured |= signal.isPresent();
    Observation observation = new Observation(snapshot.nanos(), signal.value(), capacity);
    return Optional.of(law.decide(snapshot, observation));
  }

  /** Shows what was decided and what came of it. */
  void show(NodeSnapshot snapshot, Optional<Decision> decision, String result) {
    Optional<String> unseen =
        decision.isPresent() && !everMeasured
            ? resource.signal().apply(snapshot).missing()
            : Optional.empty();
    state =
        new State(
            resource,
            mode,
            unavailable().or(() -> unseen),
            resource.use().apply(snapshot).bestEffort(),
            decision,
            result);
  }
}
