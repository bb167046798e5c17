/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** Who of the best-effort containers that wait starts first. */
public enum QueueDiscipline {
  /** Who came first (Charon paper, section 4). */
  FIFO,
  /** Who belongs to the application that holds the least memory here (paper, section 5.6). */
  FAIR_APPLICATION,
  /** Who belongs to the user that holds the least memory here (ours). */
  FAIR_USER
}
