/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Looks up the names of applications; in YARN, at the ResourceManager. */
public interface ApplicationDirectory extends AutoCloseable {
  /**
   * The properties of an application that recur from run to run.
   *
   * @param queue the application's queue
   * @param name the name that its user chose
   * @param tags the tags that its user chose
   */
  record Entry(String queue, String name, Set<String> tags) {
    /** Copies the tags. */
    public Entry {
      tags = Set.copyOf(tags);
    }
  }

  /**
   * Looks up an application; may take seconds.
   *
   * @param applicationId YARN's application id
   * @return empty if the directory does not know the application
   * @throws IOException if the directory does not answer
   */
  Optional<Entry> find(String applicationId) throws IOException;

  @Override
  void close();
}
