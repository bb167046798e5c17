/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs Charon's own steps next to YARN's work for an ApplicationMaster, so that none of them ever
 * fails the ApplicationMaster's call. A step that fails is left out of that call; the next call
 * tries again, because the cause may be one application's request. If classes do not link with this
 * Hadoop, or Charon could not start, the breaker opens and no step runs until the ResourceManager
 * is restarted. Thread-safe.
 */
final class CircuitBreaker {
  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);

  /**
   * Maximum number of distinct faults that are logged: far more than the program has places to fail
   * (our choice).
   */
  private static final int MAX_FAULTS = 100;

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private volatile boolean open;

  /** A step that may reject an application's request on purpose. */
  interface Step<T> {
    T run() throws YarnException;
  }

  /** Returns whether steps are no longer run. */
  boolean isOpen() {
    return open;
  }

  /** Stops running steps and logs the reason once. */
  void open(String reason) {
    if (!open) {
      open = true;
      LOG.error(
          "{}. Charon does not touch the ApplicationMasters' calls until this "
              + "ResourceManager is restarted: all applications run as without Charon. Cure: "
              + "install the release of Charon for this Hadoop.",
          reason);
    }
  }

  /**
   * Runs a step without a result.
   *
   * @param what name of the step, for the log
   * @return whether it ran to its end
   */
  boolean run(String what, Runnable step) {
    return !open && finish(what, step);
  }

  /**
   * Runs the end of what an earlier step of the same call began, also if the breaker has opened
   * since.
   *
   * @param what name of the step, for the log
   * @return whether it ran to its end
   */
  boolean finish(String what, Runnable step) {
    try {
      step.run();
      return true;
    } catch (RuntimeException | LinkageError e) {
      failed(what, e);
      return false;
    }
  }

  /**
   * Runs a step with a result.
   *
   * @param what name of the step, for the log
   * @return the result; empty if the step failed or was not run
   * @throws YarnException if the step rejects the application's request
   */
  <T> Optional<T> call(String what, Step<Optional<T>> step) throws YarnException {
    if (open) {
      return Optional.empty();
    }
    try {
      return step.run();
    } catch (RuntimeException | LinkageError e) {
      failed(what, e);
      return Optional.empty();
    }
  }

  private void failed(String what, Throwable fault) {
    StackTraceElement[] trace = fault.getStackTrace();
    String place = trace.length == 0 ? "" : trace[0].toString();
    String name = what + " " + fault.getClass().getName() + " " + place;
    if (told.size() < MAX_FAULTS && told.add(name)) {
      LOG.warn(
          "Failed {}: the call continues without this step (logged once for this fault)",
          what,
          fault);
    }
    if (fault instanceof LinkageError) {
      open("Charon does not fit this Hadoop (%s)".formatted(fault));
    }
  }
}
