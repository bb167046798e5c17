/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Map;
import java.util.function.Function;

/** The memory claims on a node that a queue order may use. */
public interface Claims {
  /**
   * Returns the memory charged to the running best-effort containers of each account, in bytes;
   * accounts without a running container are missing. The map is read-only.
   *
   * @param account maps an owner to its account, such as its application or user
   */
  Map<String, Long> heldBytes(Function<Owner, String> account);

  /** Returns the memory that would be charged to a container if it started now, in bytes. */
  long expectedBytes(LaunchRequest request);
}
