/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The anonymous memory of each container, computed on access because most readings are never used.
 */
final class UsedBytes extends AbstractMap<String, Long> {
  private final Map<String, NodeContainer> running;

  UsedBytes(Map<String, NodeContainer> running) {
    this.running = running;
  }

  @Override
  public boolean containsKey(Object containerId) {
    return running.containsKey(containerId);
  }

  @Override
  public Long get(Object containerId) {
    NodeContainer container = running.get(containerId);
    return container == null ? null : container.anonymousBytes();
  }

  @Override
  public Set<Map.Entry<String, Long>> entrySet() {
    return running.entrySet().stream()
        .map(entry -> Map.entry(entry.getKey(), entry.getValue().anonymousBytes()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
