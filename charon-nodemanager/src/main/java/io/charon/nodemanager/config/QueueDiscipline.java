/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** The order in which waiting best-effort containers start. */
public enum QueueDiscipline {
  /** By arrival (Charon paper, section 4). */
  FIFO,
  /** First from the application that holds the least memory on this node (paper, section 5.6). */
  FAIR_APPLICATION,
  /** First from the user who holds the least memory on this node (our choice). */
  FAIR_USER
}
