/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * The page cache to which a production container is entitled; values of {@code
 * yarn.nodemanager.charon.memory-limit.page-cache}.
 */
public enum PageCachePolicy {
  /** All of its page cache, within its reservation. */
  RESERVED,
  /** None: page cache counts as free, as in the paper. */
  NONE
}
