/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds Charon's parts to the ResourceManager's web server while it starts. A part that fails is
 * left out, because the ResourceManager would otherwise not start.
 */
final class WebStep {
  private static final Logger LOG = LoggerFactory.getLogger(WebStep.class);

  private WebStep() {}

  /** Runs a step; if it fails for any cause, {@code what} is missing from the server. */
  static void run(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError e) {
      LOG.error(
          "No {}: it does not fit the web server of this Hadoop. The ResourceManager starts without"
              + " it. Cure: install the release of Charon for this Hadoop.",
          what,
          e);
    }
  }
}
