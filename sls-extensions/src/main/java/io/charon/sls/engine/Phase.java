/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

/**
 * What comes first of events at the same instant. Within a phase, events run in the order in which
 * they were scheduled; so the order is total and does not depend on the machine.
 */
public enum Phase {
  /** Something happens in the world: work ends, memory grows, a process dies. */
  WORLD,
  /** Someone tells what happened: heartbeats. */
  REPORT,
  /** Someone decides on what is known: schedulers, masters, arrivals. */
  DECIDE,
  /** Someone looks on: progress and totals. */
  OBSERVE
}
