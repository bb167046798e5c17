/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.mechanism.Action;
import java.io.IOException;
import java.util.Optional;

/**
 * Sets one limit of best-effort on this machine. What it does is bounded and reversible, and it
 * touches only what it made itself. For one thread.
 */
public interface Actuator {
  /** Does something to a kernel or a daemon. */
  @FunctionalInterface
  interface Setter {
    /** As of {@link Actuator#apply}. */
    String apply(Action.SetLimit wanted) throws IOException;
  }

  /** Takes back what was done. */
  @FunctionalInterface
  interface Undo {
    /** As of {@link Actuator#undo}. */
    void undo() throws IOException;
  }

  /** Finds out whether something works here. */
  @FunctionalInterface
  interface Probe {
    /** As of {@link Actuator#unavailable}. */
    Optional<String> unavailable();
  }

  /**
   * Why it cannot act on this machine, with the cure; empty if it can. Asked once, before anything
   * else.
   */
  Optional<String> unavailable();

  /**
   * Limits best-effort work from now on. Setting the limit that holds already changes nothing.
   *
   * @param wanted how much
   * @return what was done, for the audit, such as the file and the value written
   * @throws IOException naming the file or the command; what held before may hold still, and the
   *     next decision tries again
   */
  String apply(Action.SetLimit wanted) throws IOException;

  /**
   * Sets what is each container's own, if it can.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file, and what holds now
   */
  default String apply(Action.SetBandwidth wanted) throws IOException {
    throw new IOException("nothing here sets the quota of " + wanted.target());
  }

  /**
   * Sets a container's quota, if it can.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file, and what holds now
   */
  default String apply(Action.SetQuota wanted) throws IOException {
    throw new IOException("nothing here gives " + wanted.target() + " a quota");
  }

  /**
   * Takes cold memory of running containers, if it can. May take a second; no limit stays behind.
   *
   * @return what was done, for the audit
   * @throws IOException naming what could not be done, or is left and has to be put back by hand
   */
  default String apply(Action.ReclaimCold wanted) throws IOException {
    throw new IOException("nothing here takes memory of " + wanted.target());
  }

  /**
   * Whether the limit set last is still kept the way that {@link #apply} said. Where it is not, for
   * example because a program that kept it has ended, it is set again at once.
   */
  default boolean holds() {
    return true;
  }

  /**
   * Takes away all that it installed, also what an earlier process of this node left behind. May be
   * called at any time and more than once.
   *
   * @throws IOException naming what is left, and how to remove it by hand
   */
  void undo() throws IOException;

  /** An actuator of its three parts. */
  static Actuator of(Probe probe, Setter setter, Undo undo) {
    return new Actuator() {
      @Override
      public Optional<String> unavailable() {
        return probe.unavailable();
      }

      @Override
      public String apply(Action.SetLimit wanted) throws IOException {
        return setter.apply(wanted);
      }

      @Override
      public void undo() throws IOException {
        undo.undo();
      }
    };
  }

  /**
   * Stands for an actuator that this machine cannot have.
   *
   * @param reason why, with the cure
   */
  static Actuator missing(String reason) {
    return of(
        () -> Optional.of(reason),
        wanted -> {
          throw new IOException(reason);
        },
        () -> {});
  }
}
