/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

/** The two interfaces of Linux control groups, which differ in file names and rules. */
public enum CgroupVersion {
  /** One hierarchy per controller (or per group of controllers mounted together). */
  V1,

  /** One unified hierarchy for all controllers. */
  V2
}
