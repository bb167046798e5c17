/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

/**
 * What came of an action.
 *
 * @param kind whether it was done, or would have been where nothing may be
 * @param result the same in words
 */
public record Outcome(Kind kind, String result) {
  /** How an action can go. */
  public enum Kind {
    /** It was done. */
    DONE,
    /** It was not tried, because another one does as well. */
    REFUSED,
    /** It was tried. */
    FAILED
  }

  /** Whether it was done. */
  public boolean done() {
    return kind == Kind.DONE;
  }

  static Outcome done(String result) {
    return new Outcome(Kind.DONE, result);
  }
}
