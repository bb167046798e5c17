/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.fault;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Guards the parts of a loop from each other: a part that fails stops no other one and is tried
 * again in the next round. Every failure is counted; the log has each distinct fault of a part
 * once, until the part has worked again. An error of the virtual machine ends the daemon, as YARN
 * decides for its own threads. Thread-safe.
 */
public final class GuardedParts {
  /** Distinct faults of one part that are told apart; of further ones only the count grows. */
  private static final int MAX_FAULTS = 16;

  private static final class Failing {
    private final Set<String> faults = new HashSet<>();
    private long rounds;
  }

  private final Logger log;
  private final Runnable count;
  private final Map<String, Failing> failing = new HashMap<>();

  /**
   * Parts that have not run yet.
   *
   * @param log takes each distinct fault
   * @param count called for every failure, must not throw
   */
  public GuardedParts(Logger log, Runnable count) {
    this.log = log;
    this.count = count;
  }

  /**
   * Runs a part.
   *
   * @param part what it is, one of a few fixed names
   * @param work may throw whatever it likes
   * @return whether it ended without a fault
   */
  public boolean run(String part, Runnable work) {
    try {
      work.run();
    } catch (VirtualMachineError e) {
      count.run();
      endDaemon(e);
      return false;
    } catch (Throwable e) {
      failed(part, e);
      return false;
    }
    worked(part);
    return true;
  }

  /**
   * A part failed, and whoever ran it goes on.
   *
   * @param fault no error of the virtual machine
   */
  public void failed(String part, Throwable fault) {
    count.run();
    if (isNews(part, fault.toString())) {
      log.warn("{} failed and is tried again; the same fault is not said again", part, fault);
    } else {
      log.debug("{} failed again", part, fault);
    }
  }

  private synchronized boolean isNews(String part, String fault) {
    Failing known = failing.computeIfAbsent(part, name -> new Failing());
    known.rounds++;
    return known.faults.size() < MAX_FAULTS && known.faults.add(fault);
  }

  private void worked(String part) {
    Failing ended;
    synchronized (this) {
      ended = failing.remove(part);
    }
    if (ended != null) {
      log.info("{} works again; it had failed {} times", part, ended.rounds);
    }
  }

  /**
   * Nothing is certain any more in this process. The NodeManager has told its threads what to do
   * then: it halts when memory is short, and ends otherwise.
   */
  private static void endDaemon(VirtualMachineError error) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
  }
}
