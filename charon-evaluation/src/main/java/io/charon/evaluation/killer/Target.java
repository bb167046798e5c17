/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * A target of the kernel UA killer.
 *
 * @param name description with the number to reach
 * @param measured the measured number as text, and the samples behind it
 * @param met whether the target is met; false if it could not be measured
 */
public record Target(String name, String measured, boolean met) {
  /** Returns one line for people. */
  public String line() {
    return (met ? "met      " : "NOT MET  ") + name + ": " + measured;
  }
}
