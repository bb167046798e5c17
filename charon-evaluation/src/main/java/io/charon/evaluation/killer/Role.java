/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/** The role of a scripted container for the killer. */
enum Role {
  /** Registered as watched: its thrash counts, and it must not be killed. */
  PRODUCTION,
  /** Like production, but a program outside of YARN, such as a database. */
  SERVICE,
  /** May be killed. */
  BEST_EFFORT
}
