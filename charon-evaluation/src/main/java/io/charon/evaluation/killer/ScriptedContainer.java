/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * One container of a round.
 *
 * @param name unique in its round
 * @param role what it is to the killer
 * @param behaviour how it uses memory
 * @param shareMegabytes what the node has set aside for it
 * @param workingSetMegabytes what it needs again and again
 * @param ageSeconds how long it has run already, for the killer's ranking
 */
record ScriptedContainer(
    String name,
    Role role,
    Behaviour behaviour,
    int shareMegabytes,
    int workingSetMegabytes,
    int ageSeconds) {
  /** Whether it is the one that should die: it may, and needs more than its share. */
  boolean isGuilty() {
    return role == Role.BEST_EFFORT && workingSetMegabytes > shareMegabytes;
  }
}
