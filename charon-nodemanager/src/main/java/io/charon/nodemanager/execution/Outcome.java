/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

/**
 * The outcome of an action.
 *
 * @param kind whether it was done; in mode observe, whether it would have been
 * @param result a description of the outcome
 */
public record Outcome(Kind kind, String result) {
  /** The kinds of outcomes. */
  public enum Kind {
    /** The action was done, or in mode observe would have been. */
    DONE,
    /** The action was not tried, because another one suffices. */
    REFUSED,
    /** The action was tried and failed. */
    FAILED
  }

  /** Returns whether the action was done. */
  public boolean done() {
    return kind == Kind.DONE;
  }

  static Outcome done(String result) {
    return new Outcome(Kind.DONE, result);
  }
}
