/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/** The two forms of queue names in a configuration: full path, or leaf name without a dot. */
public final class QueueNames {

  private QueueNames() {}

  /** Returns the last part of a queue's path. */
  public static String leaf(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Returns whether {@code name} denotes the queue with this full path. */
  public static boolean matches(String name, String path) {
    return name.equals(path) || name.equals(leaf(path));
  }
}
