/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/** How a configuration names queues: by full path, or by leaf name without a dot. */
public final class QueueNames {

  private QueueNames() {}

  /** The last part of a queue's path. */
  public static String leaf(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Whether {@code name} means the queue with this full path. */
  public static boolean matches(String name, String path) {
    return name.equals(path) || name.equals(leaf(path));
  }
}
