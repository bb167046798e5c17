/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/** How a scripted container uses memory. */
enum Behaviour {
  /** Uses all of its anonymous memory, over and over. */
  ANONYMOUS(false),
  /** Reads all of a file at random places, over and over: its working set is the file. */
  FILE(true),
  /** Holds memory that it does not use. */
  IDLE(false),
  /** Reads one large file once, in order: page cache grows, nothing is needed twice. */
  STREAM(true),
  /** Reads a file over and over, in order, that never fitted: nothing of it was ever in use. */
  REREAD(true),
  /** Writes a file, computes, and reads it back once, as a sort that spills. */
  SPILL(true),
  /** A JVM that allocates and collects garbage. */
  JAVA(false),
  /** Starts some short-lived processes every second. */
  FORKS(false);

  private final boolean usesFile;

  Behaviour(boolean usesFile) {
    this.usesFile = usesFile;
  }

  boolean usesFile() {
    return usesFile;
  }
}
