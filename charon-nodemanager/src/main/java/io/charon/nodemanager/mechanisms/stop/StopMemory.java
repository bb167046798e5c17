/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.files.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Keeps the cluster's last order across a restart of the NodeManager. Not thread-safe. */
final class StopMemory {
  private static final String SERVER = "server";

  private final Path file;

  /**
   * An order and its source.
   *
   * @param server address of the ResourceManager's web server
   * @param order the order
   */
  record HeardOrder(String server, StopOrder order) {}

  StopMemory(Path file) {
    this.file = file;
  }

  /**
   * Returns the last order; empty if none was kept.
   *
   * @throws IOException if the file exists but cannot be read
   */
  Optional<HeardOrder> read() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (InputStream in = Channels.newInputStream(OwnerOnly.open(file, StandardOpenOption.READ))) {
      properties.load(in);
      Map<String, String> values = new HashMap<>();
      properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
      return Optional.of(
          new HeardOrder(
              properties.getProperty(SERVER, ""), StopOrder.read(values, StopKeys.MESSAGE)));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " cannot be parsed: " + e.getMessage(), e);
    }
  }

  /**
   * Replaces the kept order.
   *
   * @throws IOException if it cannot be written
   */
  void write(HeardOrder word) throws IOException {
    Properties properties = new Properties();
    properties.putAll(word.order().values(StopKeys.MESSAGE));
    properties.setProperty(SERVER, word.server());
    OwnerOnly.replace(
        file,
        channel ->
            properties.store(
                Channels.newOutputStream(channel),
                "The stop state of the cluster that was last reported to this NodeManager."));
  }
}
