/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A target of the kernel UA killer.
 *
 * @param name description with the number to reach
 * @param measured the measured number as text, and the samples behind it
 * @param met whether the target is met; false if it could not be measured
 */
public record Target(String name, String measured, boolean met) {
  /** Adds the field "targets" to the JSON of a report. */
  public static void putAll(ObjectNode root, List<Target> targets) {
    ArrayNode array = root.putArray("targets");
    for (Target target : targets) {
      array
          .addObject()
          .put("name", target.name)
          .put("measured", target.measured)
          .put("met", target.met);
    }
  }

  /** Returns one line for people. */
  public String line() {
    return (met ? "met      " : "NOT MET  ") + name + ": " + measured;
  }
}
