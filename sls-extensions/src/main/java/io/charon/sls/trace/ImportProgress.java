/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/** Hears how far a workload is. */
@FunctionalInterface
public interface ImportProgress {
  /**
   * Called often.
   *
   * @param what is being done, in words
   * @param done how many rows or jobs are done
   */
  void at(String what, long done);
}
