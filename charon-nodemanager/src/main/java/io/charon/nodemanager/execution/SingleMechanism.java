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
 * A mechanism with what it alone sees, and what sets its limits. It is read once in its period:
 * that may be some files of every container.
 *
 * @param <R> what it sees
 */
public final class SingleMechanism<R extends Reading> implements MechanismParts {
  private static final Logger LOG = LoggerFactory.getLogger(SingleMechanism.class);

  /** Reads what a mechanism sees. */
  @FunctionalInterface
  public interface Source<R> {
    /**
     * Reads it.
     *
     * @param nanos now, monotonic
     * @throws IOException if it cannot be read now; it is tried again
     */
    R read(long nanos) throws IOException;

    /** Closes the files that are kept open. */
    default void close() throws IOException {}
  }

  private final Mechanism mechanism;
  private final RegulatorMode mode;
  private final Actuator actuator;
  private final Optional<? extends Source<R>> source;
  private OptionalLong readNanos = OptionalLong.empty();
  private boolean unreadable;

  /**
   * Puts it together.
   *
   * @param mechanism decides
   * @param mode what it may do; what is off is not read
   * @param actuator sets, and puts back
   * @param source reads; empty where there is nothing to read
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

  /** Decides. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Sets, and puts back. */
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
   * What it sees; nothing where nobody asked, it was read a moment ago, or it cannot be read, which
   * is said once.
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
        LOG.warn("{} cannot read what it needs; tried again, said once", mechanism.name(), e);
      }
      unreadable = true;
      return Optional.empty();
    }
  }

  /** A clock that went back is no reason to wait. */
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
