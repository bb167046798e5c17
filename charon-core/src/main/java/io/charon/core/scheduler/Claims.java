/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.function.Function;

/** What a queue order may know of the node: who holds how much, and who would. */
public interface Claims {
  /**
   * Memory that the running best-effort containers of an owner are charged with, bytes.
   *
   * @param account tells owners apart, or puts several of them together
   * @param value what {@code account} says of the owner
   */
  long heldBytes(Function<Owner, String> account, String value);

  /** What a container would be charged with if it started now, bytes. */
  long expectedBytes(LaunchRequest request);
}
