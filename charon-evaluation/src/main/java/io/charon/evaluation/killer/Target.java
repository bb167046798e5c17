/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * Something that the kernel UA killer should reach.
 *
 * @param name what, with the number to reach
 * @param measured the measured number in words, and what stands behind it
 * @param met whether it is reached; not if it could not be measured
 */
public record Target(String name, String measured, boolean met) {
  /** One line for people. */
  public String line() {
    return (met ? "met      " : "NOT MET  ") + name + ": " + measured;
  }
}
