/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Changes a node's overrides file, and waits until its NodeManager says that it has read it. What
 * the NodeManager cannot use is taken back.
 */
public final class NodeOverrides {
  private static final Duration LOOKS = Duration.ofMillis(200);

  private final StatusClient client;
  private final Duration patience;

  /** A change that did not come about; the message says what to do. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * Changes nodes.
   *
   * @param client reads their status
   * @param patience for how long a NodeManager may take to read; more than a tick
   */
  public NodeOverrides(StatusClient client, Duration patience) {
    this.client = client;
    this.patience = patience;
  }

  /**
   * Changes the overrides of a node.
   *
   * @param node the NodeManager; it must run on this machine
   * @param change what to change in the keys and values that the file has now
   * @return the node's status after it read them
   * @throws RefusedException if the node has no such file, does not read it, or cannot use it
   * @throws StatusException if the node does not answer
   * @throws IOException if the file cannot be read or written
   */
  public JsonNode change(NodeAddress node, Consumer<Map<String, String>> change)
      throws RefusedException, StatusException, IOException, InterruptedException {
    JsonNode before = client.read(node).path("configuration");
    if (!before.hasNonNull("file")) {
      throw new RefusedException(
          node
              + " has no overrides file: set yarn.nodemanager.charon.overrides-file in its yarn-site.xml, for"
              + " example to /var/lib/charon/overrides.properties, and restart it once");
    }
    Path file = Path.of(before.path("file").asText());
    OverridesEditor editor = new OverridesEditor(file, Clock.systemUTC());
    Map<String, String> old = editor.read();
    Map<String, String> wanted = editor.read();
    change.accept(wanted);
    long written = editor.write(wanted);
    JsonNode status = awaitRead(node, file, written);
    String problem = status.path("configuration").path("problem").asText("");
    if (!problem.isEmpty()) {
      awaitRead(node, file, editor.write(old));
      throw new RefusedException(
          "%s cannot use it, so %s is as it was: %s".formatted(node, file, problem));
    }
    return status;
  }

  private JsonNode awaitRead(NodeAddress node, Path file, long written)
      throws RefusedException, StatusException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      JsonNode status = client.read(node);
      if (status.path("configuration").path("readMillis").asLong() == written) {
        return status;
      }
      if (System.nanoTime() > end) {
        throw new RefusedException(
            "%s has not read %s for %d s: run this on the machine of that NodeManager; its log says more"
                .formatted(node, file, patience.toSeconds()));
      }
      Thread.sleep(LOOKS.toMillis());
    }
  }
}
