/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes what a command did to the machine, last thing first: when it ends, and also when the JVM
 * is told to end before that.
 */
public final class Cleanup implements AutoCloseable {
  /** Undoes one thing; does nothing when called again. */
  public interface Step {
    /** Undoes it. */
    void undo() throws IOException, InterruptedException;
  }

  private final Deque<Step> steps = new ArrayDeque<>();
  private final Thread hook = new Thread(this::runAll, "charon-cleanup");

  /** Begins with nothing to undo. */
  public Cleanup() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Adds what is to be undone before everything that was added earlier. */
  public synchronized void add(Step step) {
    steps.push(step);
  }

  @Override
  public void close() {
    runAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endsAlready) {
      // The hook finds nothing left to undo.
    }
  }

  private synchronized void runAll() {
    while (!steps.isEmpty()) {
      try {
        steps.pop().undo();
      } catch (IOException | RuntimeException e) {
        // The other steps matter more than this one's failure, which the user must know of.
        System.err.println("charon: cleaning up: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
