/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/** The progress of a run; may be read by other threads. */
public final class RunProgress {
  private volatile long virtualNanos;
  private volatile long lastSubmissionNanos = -1;
  private volatile boolean interrupted;

  /** Returns the virtual time, in nanoseconds. */
  public long virtualNanos() {
    return virtualNanos;
  }

  /** Returns the time of the last submission, in nanoseconds; -1 while it is unknown. */
  public long lastSubmissionNanos() {
    return lastSubmissionNanos;
  }

  /** Ends the run soon; its result is partial. */
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
