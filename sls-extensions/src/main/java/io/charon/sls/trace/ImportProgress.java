/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/** Receives the progress of an import. */
@FunctionalInterface
public interface ImportProgress {
  /**
   * Called often.
   *
   * @param what the present activity, in words
   * @param done number of rows or jobs that are done
   */
  void at(String what, long done);
}
