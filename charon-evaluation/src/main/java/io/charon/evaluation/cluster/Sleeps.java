/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

/** Short sleeps between polls of a condition that cannot be waited for. */
final class Sleeps {
  private Sleeps() {}

  /** Sleeps; returns early, with the interrupt flag set, if the thread is interrupted. */
  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
