/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.Reading;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mechanism with its own readings and the actuator of its limits. The readings are taken once per
 * period of the mechanism, because they may involve several files of every container.
 *
 * @param <R> the type of its readings
 */
public final class SingleMechanism<R extends Reading> implements MechanismParts {
  private static final Logger LOG = LoggerFactory.getLogger(SingleMechanism.class);

  /** Takes the readings of a mechanism. */
  @FunctionalInterface
  public interface Source<R> {
    /**
     * Takes a reading.
     *
     * @param nanos now, monotonic
     * @throws IOException if the reading fails; it is tried again in the next period
     */
    R read(long nanos) throws IOException;

    /** Closes files that are kept open. */
    default void close() throws IOException {}
  }

  private final Mechanism mechanism;
  private final RegulatorMode mode;
  private final Actuator actuator;
  private final Optional<? extends Source<R>> source;
  private OptionalLong readNanos = OptionalLong.empty();
  private boolean unreadable;

  /**
   * Assembles the parts.
   *
   * @param mechanism the mechanism
   * @param mode its mode; nothing is read in mode off
   * @param actuator sets and restores its limits
   * @param source takes its readings; empty if there is nothing to read
   */
  public SingleMechanism(
      Mechanism mechanism,
      RegulatorMode mode,
      Actuator actuator,
      Optional<? extends Source<R>> source) {
    this.mechanism = mechanism;
    this.mode = mode;
    this.actuator = actuator;
    this.source = source;
  }

  /** Returns the mechanism. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Returns the actuator, which sets and restores its limits. */
  public Actuator actuator() {
    return actuator;
  }

  @Override
  public List<MechanismRunner.Entry> entries() {
    return List.of(new MechanismRunner.Entry(mechanism, mode));
  }

  @Override
  public Map<Limit, Actuator> actuators() {
    return mechanism.limits().stream().collect(Collectors.toMap(limit -> limit, limit -> actuator));
  }

  @Override
  public Stream<? extends Reading> readings(long nanos) {
    return read(nanos).stream();
  }

  /**
   * Takes a reading. Returns empty if the mechanism is off, its period has not passed since the
   * last reading, or the reading fails, which is logged once.
   *
   * @param nanos now, monotonic
   */
  public Optional<R> read(long nanos) {
    if (mode == RegulatorMode.OFF || source.isEmpty() || isEarly(nanos)) {
      return Optional.empty();
    }
    readNanos = OptionalLong.of(nanos);
    try {
      R seen = source.get().read(nanos);
      unreadable = false;
      return Optional.of(seen);
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn(
            "{} cannot read its input; retried at each tick (logged once)", mechanism.name(), e);
      }
      unreadable = true;
      return Optional.empty();
    }
  }

  /** Returns whether the period has not passed yet; false if the clock went back. */
  private boolean isEarly(long nanos) {
    long elapsed = readNanos.isEmpty() ? Long.MAX_VALUE : nanos - readNanos.getAsLong();
    return elapsed >= 0 && elapsed < mechanism.period().toNanos();
  }

  @Override
  public void close() throws IOException {
    if (source.isPresent()) {
      source.get().close();
    }
  }
}
