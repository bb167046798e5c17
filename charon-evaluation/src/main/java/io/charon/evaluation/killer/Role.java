/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/** What a scripted container is to the killer. */
enum Role {
  /** Registered as watched: its thrash counts, it may not die. */
  PRODUCTION,
  /** The same, for a program outside of YARN, such as a database. */
  SERVICE,
  /** May die. */
  BEST_EFFORT
}
