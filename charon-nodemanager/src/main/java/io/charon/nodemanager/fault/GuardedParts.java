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
 * Isolates the parts of a loop from each other: a part that fails does not stop the others and is
 * run again in the next round. Every failure is counted; the log shows each distinct fault of a
 * part once, until the part has worked again. A virtual machine error terminates the daemon by the
 * rules of YARN's own threads. Thread-safe.
 */
public final class GuardedParts {
  /** Distinct faults remembered per part; further ones are only counted. */
  private static final int MAX_FAULTS = 16;

  private static final class Failing {
    private final Set<String> faults = new HashSet<>();
    private long rounds;
  }

  private final Logger log;
  private final Runnable count;
  private final Map<String, Failing> failing = new HashMap<>();

  /**
   * Creates guards for parts that have not run yet.
   *
   * @param log receives each distinct fault
   * @param count called for every failure, must not throw
   */
  public GuardedParts(Logger log, Runnable count) {
    this.log = log;
    this.count = count;
  }

  /**
   * Runs a part.
   *
   * @param part name of the part, one of a few fixed names
   * @param work the work; may throw any exception
   * @return whether it completed without a fault
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
   * Records that a part failed; its caller continues.
   *
   * @param fault not a virtual machine error
   */
  public void failed(String part, Throwable fault) {
    count.run();
    if (isNews(part, fault.toString())) {
      log.warn("{} failed and will be retried; the same fault is not logged again", part, fault);
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
      log.info("{} works again after {} failures", part, ended.rounds);
    }
  }

  /**
   * Passes the error to the handler that the NodeManager has set for its threads, because the state
   * of this process is no longer reliable. The handler halts the process if memory is exhausted,
   * and exits otherwise.
   */
  private static void endDaemon(VirtualMachineError error) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
  }
}
