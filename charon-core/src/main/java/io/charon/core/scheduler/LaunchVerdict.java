/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * Whether the first container of the queue may start now, and the numbers behind it.
 *
 * @param launch whether it may start
 * @param reason why it may or may not start
 * @param neededBytes the memory that it is expected to need
 * @param limitBytes the value with which this was compared
 */
public record LaunchVerdict(boolean launch, Reason reason, long neededBytes, long limitBytes) {
  /** Why a container started, waits or was refused. */
  public enum Reason {
    /** Guaranteed containers start at once. */
    GUARANTEED("guaranteed containers are never gated"),
    /** Its expected need is covered. */
    FITS("the memory that is free now covers it"),
    /** Its expected need is not covered. */
    MEMORY("it needs more memory than is free now"),
    /** A controller keeps memory for the foreground, and the rest does not cover its need. */
    RESERVED("it needs more memory than the foreground's reserve leaves"),
    /** The node's memory could not be read. */
    MEMORY_UNKNOWN("the node's memory cannot be read, or its last reading is too old"),
    /** A container was killed for memory a moment ago. */
    DELAYED_AFTER_KILL("launches are delayed after a kill"),
    /** An operator stopped best-effort. */
    STOPPED("an operator stopped best-effort: `charon resume` allows launches again"),
    /** A container is frozen and gets the memory that becomes free. */
    FROZEN("containers that are frozen for lack of memory are thawed first"),
    /** The threads that run or wait for a processor have reached the limit for the node's cores. */
    PROCESSORS_BUSY("so many threads wait for a processor that it would slow others down"),
    /** The number of containers that are starting has reached the limit for the node's cores. */
    STARTING_LIMIT("the number of containers that are starting has reached its limit"),
    /** Another container was launched since the last reading (threshold: one request at a time). */
    ONE_AT_A_TIME("only one launch for each reading of the memory"),
    /** Other containers come first. */
    NOT_FIRST("containers ahead of it in the queue are waiting"),
    /** The queue has reached its limit. */
    QUEUE_FULL("the queue is full");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** Returns the reason in readable text. */
    public String text() {
      return text;
    }
  }

  /** Returns a refusal with the same numbers. */
  LaunchVerdict refused(Reason why) {
    return new LaunchVerdict(false, why, neededBytes, limitBytes);
  }
}
