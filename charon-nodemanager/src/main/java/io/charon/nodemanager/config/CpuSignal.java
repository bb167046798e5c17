/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** The signal by which the CPU regulator judges whether the foreground suffers. */
public enum CpuSignal {
  /** The first of these that is available on this machine: instructions, pressure, run queue. */
  AUTO,
  /** Instructions per cycle of the foreground. */
  INSTRUCTIONS,
  /** Share of time in which some thread of the foreground waited for a CPU (PSI). */
  PRESSURE,
  /** Time that the threads of the foreground waited for a CPU. */
  RUN_QUEUE,
  /** No signal: the water line alone determines the CPU time of best-effort. */
  NONE
}
