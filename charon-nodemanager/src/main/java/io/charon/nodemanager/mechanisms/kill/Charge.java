/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.util.Optional;

/**
 * Whether the kernel killer counts as in charge: what is found once may be a matter of the moment,
 * what is found in two ticks in a row is not. Two killers that relieve one another with every tick
 * would both keep memory free, or neither. Not thread-safe.
 */
final class Charge {
  private static final int TICKS = 2;

  private boolean held;
  private boolean judged;
  private int contrary;

  /**
   * A tick looked.
   *
   * @param obstacle what would keep the kernel killer from killing, if anything
   * @return whether it is in charge; the first judgement counts at once
   */
  boolean judge(Optional<String> obstacle) {
    boolean able = obstacle.isEmpty();
    contrary = able == held ? 0 : contrary + 1;
    if (!judged || contrary >= TICKS) {
      held = able;
      contrary = 0;
    }
    judged = true;
    return held;
  }

  /** There is certainly nobody who could kill: not in charge from this moment on. */
  void lose() {
    held = false;
    contrary = 0;
  }
}
