/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * One container of a round.
 *
 * @param name name, unique in its round
 * @param role role for the killer
 * @param behaviour the way it uses memory
 * @param shareMegabytes memory that the node has set aside for it
 * @param workingSetMegabytes memory that it uses repeatedly
 * @param ageSeconds age that it is registered with, for the killer's ranking
 */
record ScriptedContainer(
    String name,
    Role role,
    Behaviour behaviour,
    int shareMegabytes,
    int workingSetMegabytes,
    int ageSeconds) {
  /** Returns whether the killer should kill it: it is best-effort and needs more than its share. */
  boolean isGuilty() {
    return role == Role.BEST_EFFORT && workingSetMegabytes > shareMegabytes;
  }
}
