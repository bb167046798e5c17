/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** By what the CPU regulator judges whether the foreground suffers. */
public enum CpuSignal {
  /** The first that this machine has of these: instructions, pressure, run queue. */
  AUTO,
  /** Instructions per cycle of the foreground. */
  INSTRUCTIONS,
  /** For how much of the time some thread of the foreground waited for a CPU (PSI). */
  PRESSURE,
  /** How long the threads of the foreground waited for a CPU. */
  RUN_QUEUE,
  /** By none: the water line alone says how much CPU time best-effort gets. */
  NONE
}
