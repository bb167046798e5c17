/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * What of its page cache a production container has a right to; values of {@code
 * yarn.nodemanager.charon.memory-limit.page-cache}.
 */
public enum PageCachePolicy {
  /** All of it, as far as its reservation goes. */
  RESERVED,
  /** Nothing: page cache counts as free, as in the paper. */
  NONE
}
