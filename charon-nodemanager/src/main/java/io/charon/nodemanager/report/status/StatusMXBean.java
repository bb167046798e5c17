/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

/** The bean {@code io.charon:type=Status} on the NodeManager's {@code /jmx} page. */
public interface StatusMXBean {
  /** Returns the status document as JSON; {@code bin/charon status} prints it. */
  String getJson();
}
