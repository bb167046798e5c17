/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.Decision;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Carries the limit of one resource out on the machine. What it does is bounded and reversible, and
 * an actuator touches only what it made itself. For one thread.
 */
public interface Actuator {
  /**
   * Why it cannot act on this machine, with the cure; empty if it can. Asked once, before anything
   * else.
   */
  Optional<String> unavailable();

  /**
   * Limits best-effort work from now on. Setting the limit that holds already changes nothing.
   *
   * @param decision what the regulator decided now
   * @return what was done, for the audit, such as the file and the value written
   * @throws IOException naming the file or the command; what held before may hold still, and the
   *     next tick tries again
   */
  String apply(Decision decision) throws IOException;

  /**
   * Takes back what best-effort uses above the limit, where the limit alone does not; called at
   * each tick while the limit holds. What it does in one tick is bounded.
   *
   * @param decision what the regulator decided now
   * @return what was done, mostly nothing
   */
  default List<Effect> takeBack(Decision decision) {
    return List.of();
  }

  /**
   * Takes away all that it installed, also what an earlier process of this node left behind. May be
   * called at any time and more than once.
   *
   * @throws IOException naming what is left, and how to remove it by hand
   */
  void undo() throws IOException;
}
