/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * Location and size of a recording.
 *
 * @param directory absolute path
 * @param mostBytes total size limit of all files, bytes
 * @param keys all keys of Charon on the node with their values, which a recording begins with
 */
public record RecordingSettings(Path directory, long mostBytes, Map<String, String> keys) {
  /** Copies the map. */
  public RecordingSettings {
    keys = Map.copyOf(keys);
  }
}
