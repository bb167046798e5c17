/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.util.Optional;

/**
 * Decides whether the kernel killer counts as in charge. A single result may be momentary, so a
 * change takes effect only after two ticks in a row agree: if the two killers relieved one another
 * with every tick, both would keep memory free, or neither. Not thread-safe.
 */
final class ChargeDebouncer {
  private static final int TICKS = 2;

  private boolean held;
  private boolean judged;
  private int contrary;

  /**
   * Records the result of one tick.
   *
   * @param obstacle what would keep the kernel killer from killing; empty if nothing
   * @return whether the kernel killer is in charge; the first result takes effect at once
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

  /** Takes the charge away at once, because the kernel killer certainly cannot kill. */
  void lose() {
    held = false;
    contrary = 0;
  }
}
