/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Charon adds to the ResourceManager's web server while that starts: what fails is left out,
 * since the ResourceManager would not start with it.
 */
final class WebStep {
  private static final Logger LOG = LoggerFactory.getLogger(WebStep.class);

  private WebStep() {}

  /** Runs a step; {@code what} is then missing if it fails, whatever its cause. */
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
