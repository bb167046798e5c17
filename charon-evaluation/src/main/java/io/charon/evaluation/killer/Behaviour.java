/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/** The way in which a scripted container uses memory. */
enum Behaviour {
  /** Uses all of its anonymous memory repeatedly. */
  ANONYMOUS(false),
  /** Reads a whole file repeatedly at random positions: the file is its working set. */
  FILE(true),
  /** Holds memory that it does not use. */
  IDLE(false),
  /** Reads one large file once, sequentially: the page cache grows, but no page is needed twice. */
  STREAM(true),
  /**
   * Reads a file that does not fit repeatedly and sequentially: none of its pages were ever in use.
   */
  REREAD(true),
  /** Writes a file, computes, and reads the file back once, like a sort that spills. */
  SPILL(true),
  /** A JVM that allocates and collects garbage. */
  JAVA(false),
  /** Starts several short-lived processes every second. */
  FORKS(false);

  private final boolean usesFile;

  Behaviour(boolean usesFile) {
    this.usesFile = usesFile;
  }

  boolean usesFile() {
    return usesFile;
  }
}
