/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Who knows what an application is called: in YARN, the ResourceManager. */
public interface ApplicationDirectory extends AutoCloseable {
  /**
   * What recurs about an application.
   *
   * @param queue where it is
   * @param name as its user chose it
   * @param tags as its user chose them
   */
  record Entry(String queue, String name, Set<String> tags) {
    /** Copies the tags. */
    public Entry {
      tags = Set.copyOf(tags);
    }
  }

  /**
   * Looks an application up; may take seconds.
   *
   * @param applicationId YARN's application id
   * @return nothing if it is not known there
   * @throws IOException if nobody answers
   */
  Optional<Entry> find(String applicationId) throws IOException;

  @Override
  void close();
}
