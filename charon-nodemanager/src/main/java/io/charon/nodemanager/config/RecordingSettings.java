/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where a recording is written.
 *
 * @param directory absolute
 * @param mostBytes of all files together
 * @param keys all keys of Charon on the node, with their values; a recording begins with them
 */
public record RecordingSettings(Path directory, long mostBytes, Map<String, String> keys) {
  /** Copies the map. */
  public RecordingSettings {
    keys = Map.copyOf(keys);
  }
}
