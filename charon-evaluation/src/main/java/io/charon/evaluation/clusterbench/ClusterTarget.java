/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

/**
 * A number that Charon was to reach.
 *
 * @param name what was to be reached
 * @param measured what was, for people
 * @param met whether it was reached; not if there is nothing to compare
 */
record ClusterTarget(String name, String measured, boolean met) {
  /** One line for people. */
  String line() {
    return String.format("%-8s%s: %s", met ? "ok" : "MISSED", name, measured);
  }
}
