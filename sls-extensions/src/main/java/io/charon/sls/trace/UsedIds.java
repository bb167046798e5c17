/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The ids of jobs that were used. Of each it keeps a hash of 16 bytes, so that its memory, about 80
 * bytes for each job, does not depend on the length of the ids.
 */
final class UsedIds {
  private final Set<UUID> hashes = new HashSet<>();

  /** Uses an id and returns whether it is the first time. */
  boolean add(String id) {
    return hashes.add(UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)));
  }

  /** Uses an id, or, if it is used already, one that begins with it, and returns that. */
  String unused(String id) {
    String unused = id;
    for (int number = 2; !add(unused); number++) {
      unused = id + "-again" + number;
    }
    return unused;
  }
}
