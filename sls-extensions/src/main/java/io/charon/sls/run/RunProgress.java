/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/** How far a run is; another thread may look. */
public final class RunProgress {
  private volatile long virtualNanos;
  private volatile long lastSubmissionNanos = -1;
  private volatile boolean interrupted;

  /** Virtual time, nanoseconds. */
  public long virtualNanos() {
    return virtualNanos;
  }

  /** When the last job was submitted, nanoseconds; -1 while that is not known. */
  public long lastSubmissionNanos() {
    return lastSubmissionNanos;
  }

  /** Ends the run soon; its result is then partial. */
  public void interrupt() {
    interrupted = true;
  }

  boolean isInterrupted() {
    return interrupted;
  }

  void at(long nowNanos) {
    virtualNanos = nowNanos;
  }

  void lastSubmission(long nanos) {
    lastSubmissionNanos = nanos;
  }
}
