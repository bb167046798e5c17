/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

/**
 * The order of events at the same instant. Within a phase, events run in the order in which they
 * were scheduled, so the order is total and does not depend on the machine.
 */
public enum EventPhase {
  /** The state of the world changes: work ends, memory grows, a process exits. */
  WORLD,
  /** Changes are reported: heartbeats. */
  REPORT,
  /** Decisions on the reported state: schedulers, application masters, arrivals. */
  DECIDE,
  /** Observation only: progress and totals. */
  OBSERVE
}
