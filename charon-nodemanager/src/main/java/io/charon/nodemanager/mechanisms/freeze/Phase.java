/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

/** Where a container is in YARN's eyes, as far as freezing is concerned. */
public enum Phase {
  /** Its processes have not started, or YARN has not found it again after a restart. */
  STARTING,
  /** It may be frozen. */
  RUNNING,
  /** YARN itself paused it, and will resume it. */
  PAUSED,
  /** It ends, or is gone: nothing may keep it frozen. */
  ENDING
}
