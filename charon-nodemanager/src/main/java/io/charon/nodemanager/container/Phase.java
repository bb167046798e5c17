/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

/** The phase of a container according to YARN, as far as freezing is concerned. */
public enum Phase {
  /** The processes have not started, or YARN has not found them again after a restart. */
  STARTING,
  /** The container may be frozen. */
  RUNNING,
  /** YARN itself paused the container and will resume it. */
  PAUSED,
  /** The container is ending or has ended; it must not be kept frozen. */
  ENDING
}
