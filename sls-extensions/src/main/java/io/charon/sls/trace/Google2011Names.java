/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/**
 * Short names for the hashes of the Google 2011 trace. The logical job name identifies recurring
 * jobs. The scheduling class is added, because a service and a batch job of the same name use
 * memory differently.
 */
final class Google2011Names {
  /** Number of base64 characters kept. 16 are 96 bits, so no two names of a trace collide. */
  private static final int LENGTH = 16;

  private Google2011Names() {}

  static String job(String logicalName, String schedulingClass) {
    return shorten(logicalName) + "/" + schedulingClass;
  }

  static String shorten(String hash) {
    return hash.length() > LENGTH ? hash.substring(0, LENGTH) : hash;
  }
}
