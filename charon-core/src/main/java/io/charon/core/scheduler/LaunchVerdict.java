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
 * @param reason why, or why not
 * @param neededBytes what it is expected to need
 * @param limitBytes what it was compared with
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
    /** A regulator keeps memory for the foreground, and the rest does not cover its need. */
    RESERVED("it needs more memory than is left beside the foreground's reserve"),
    /** The node's memory could not be read. */
    MEMORY_UNKNOWN("the node's memory cannot be read, or was not for too long"),
    /** A container was killed for memory a moment ago. */
    DELAYED_AFTER_KILL("launches are delayed after a kill"),
    /** A container is frozen and gets the memory that becomes free. */
    PAUSED("containers that are paused for lack of memory go on first"),
    /** An operator stopped best-effort. */
    STOPPED("an operator stopped best-effort: charon resume lets it go on"),
    /** As many containers start at this moment as the node's cores allow. */
    STARTING_LIMIT("as many containers are starting as may at a time"),
    /** Another container launched since the last reading (kuber: one request at a time). */
    ONE_AT_A_TIME("one launch for each reading of the memory"),
    /** Others came first. */
    NOT_FIRST("containers before it wait"),
    /** The queue holds as many as it may. */
    QUEUE_FULL("the queue is full");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The reason as people read it. */
    public String text() {
      return text;
    }
  }

  /** The same numbers, but it may not start. */
  LaunchVerdict refused(Reason why) {
    return new LaunchVerdict(false, why, neededBytes, limitBytes);
  }
}
