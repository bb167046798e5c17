/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

/**
 * A target for Charon.
 *
 * @param name name of the target
 * @param measured the measured value as text
 * @param met whether the target was met; false if there is nothing to compare
 */
record ClusterTarget(String name, String measured, boolean met) {
  /** Returns the target and its result as one line of text. */
  String line() {
    return String.format("%-8s%s: %s", met ? "ok" : "MISSED", name, measured);
  }
}
