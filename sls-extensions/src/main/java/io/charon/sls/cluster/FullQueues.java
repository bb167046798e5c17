/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

/** What becomes of a best-effort container when the nodes that it could go to are full. */
public enum FullQueues {
  /** It waits at the ResourceManager: YARN's allocator sends nothing to a queue known as full. */
  AVOID,
  /**
   * It is sent nevertheless, and the node rejects it: a failure of its task, asked for again at
   * once, as the Charon paper counts (sections 4 and 5.6). Who has no retry left fails its job.
   */
  REJECT
}
