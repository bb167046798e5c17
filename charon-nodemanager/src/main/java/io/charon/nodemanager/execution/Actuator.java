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
 * Sets one limit of best-effort on this machine. Its effects are bounded and reversible: it removes
 * what it created, and restores the values that it changed. Not thread-safe.
 */
public interface Actuator {
  /** Applies a limit to a kernel or a daemon. */
  @FunctionalInterface
  interface Setter {
    /** See {@link Actuator#apply}. */
    String apply(Action.SetLimit wanted) throws IOException;
  }

  /** Reverts all limits. */
  @FunctionalInterface
  interface Undo {
    /** See {@link Actuator#undo}. */
    void undo() throws IOException;
  }

  /** Checks whether an actuator works here. */
  @FunctionalInterface
  interface Probe {
    /** See {@link Actuator#unavailable}. */
    Optional<String> unavailable();
  }

  /**
   * Returns why this actuator cannot act on this machine, with the cure; empty if it can. Called
   * before any other method and, while it cannot act, about once a minute on another thread. May
   * take seconds.
   */
  Optional<String> unavailable();

  /**
   * Limits best-effort as a whole, if this actuator supports it. Setting the limit that already
   * holds has no effect.
   *
   * @param wanted the limit
   * @return what was done, for the audit, such as the file and the value written
   * @throws IOException naming the file or the command; the previous limit may still hold, and the
   *     next decision tries again
   */
  default String apply(Action.SetLimit wanted) throws IOException {
    throw new IOException(wanted.limit().name() + " is not set for all containers together");
  }

  /**
   * Sets a container's own quota, period and burst, if this actuator supports it.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file, and the value that holds now
   */
  default String apply(Action.SetBandwidth wanted) throws IOException {
    throw new IOException("the quota of " + wanted.target() + " cannot be set here");
  }

  /**
   * Sets a container's quota, if this actuator supports it.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file, and the value that holds now
   */
  default String apply(Action.SetQuota wanted) throws IOException {
    throw new IOException("the quota of " + wanted.target() + " cannot be set here");
  }

  /**
   * Changes how much memory the kernel leaves to production, if this actuator supports it.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file
   */
  default String apply(Action.Protect wanted) throws IOException {
    throw new IOException("the memory of " + wanted.target() + " cannot be protected here");
  }

  /**
   * Reclaims cold memory from running containers, if this actuator supports it. May take a second;
   * no limit is left behind.
   *
   * @return what was done, for the audit
   * @throws IOException naming what failed, or what is left behind and has to be restored by hand
   */
  default String apply(Action.ReclaimCold wanted) throws IOException {
    throw new IOException("memory of " + wanted.target() + " cannot be reclaimed here");
  }

  /**
   * Returns whether the last limit is still kept the way that {@link #apply} reported. If it is
   * not, for example because a program that kept it has ended, the limit is set again at once.
   */
  default boolean holds() {
    return true;
  }

  /**
   * Removes everything that it set, including what an earlier process of this node left behind. May
   * be called at any time and more than once.
   *
   * @throws IOException naming what is left, and how to remove it by hand
   */
  void undo() throws IOException;

  /** Returns an actuator made of these three parts. */
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
   * Returns an actuator for a limit that this machine cannot have.
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
