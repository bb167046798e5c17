/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

/** The handling of a best-effort container when the queues of its candidate nodes are full. */
public enum FullQueues {
  /**
   * The container waits at the ResourceManager: YARN's allocator sends nothing to a queue that it
   * knows to be full.
   */
  AVOID,
  /**
   * The container is sent nevertheless and the node rejects it. The rejection counts as a failure
   * of its task, which is requested again at once, as in the Charon paper (sections 4 and 5.6). If
   * the task has no retry left, its job fails.
   */
  REJECT
}
