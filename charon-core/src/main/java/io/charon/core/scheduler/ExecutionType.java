/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/** YARN's two kinds of containers, as far as launching is concerned. */
public enum ExecutionType {
  /** Production, and every ApplicationMaster: reserved by the ResourceManager, not delayed here. */
  GUARANTEED,
  /** Best-effort: runs on memory that is idle now. */
  OPPORTUNISTIC
}
