/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import io.charon.status.ThisMachine;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes a node's overrides file, and waits until its NodeManager reports that it has read the
 * change. A change that the NodeManager cannot use is reverted.
 */
public final class NodeOverrides {
  private static final Logger LOG = LoggerFactory.getLogger(NodeOverrides.class);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private final StatusClient client;
  private final Duration timeout;

  /** A change that did not take effect; the message says what to do. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates the exception; the message says what is wrong and what to do. */
    public RefusedException(String message) {
      super(message);
    }
  }

  /**
   * Creates the object that changes nodes.
   *
   * @param client reads their status
   * @param timeout how long a NodeManager may take to read a change; longer than a tick
   */
  public NodeOverrides(StatusClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /**
   * Changes the overrides of a node.
   *
   * @param node the NodeManager, which must run on this machine
   * @param file the overrides file named by its configuration; the node must report the same file,
   *     but its report alone decides nothing, since any process may listen at its address
   * @param change changes the keys and values that the file has now
   * @return the node's status after it has read the change
   * @throws RefusedException if the node runs elsewhere, uses another file, does not read the
   *     change, or cannot use it; the file is then unchanged
   * @throws StatusException if the node does not answer
   * @throws IOException if the file cannot be read or written, or must not be trusted
   */
  public JsonNode change(NodeAddress node, OverridesFile file, Consumer<Map<String, String>> change)
      throws RefusedException, StatusException, IOException, InterruptedException {
    requireHere(node, "NodeManager");
    requireAgreement(node, file.path(), client.read(node).path("configuration"));
    OverridesEditor editor = new OverridesEditor(file, Clock.systemUTC());
    OverridesEditor.Written written = editor.change(change);
    boolean used = false;
    try {
      JsonNode status = awaitRead(node, file.path(), written.modifiedMillis());
      String problem = status.path("configuration").path("problem").asText("");
      if (!problem.isEmpty()) {
        throw new RefusedException(
            "%s cannot use it, so %s is unchanged: %s".formatted(node, file.path(), problem));
      }
      used = true;
      return status;
    } finally {
      if (!used) {
        editor.revert(written);
      }
    }
  }

  /**
   * Stops or resumes best-effort on a node.
   *
   * @param node the NodeManager; if it runs, it must run on this machine
   * @param file as above
   * @param order the order
   * @throws RefusedException if the node runs elsewhere, or uses another file; nothing is written
   * @throws IOException if the file cannot be read or written, or must not be trusted
   */
  public Orders.Given order(NodeAddress node, OverridesFile file, StopOrder order)
      throws RefusedException, IOException, InterruptedException {
    requireHere(node, "NodeManager");
    try {
      requireAgreement(node, file.path(), client.read(node).path("configuration"));
    } catch (StatusException unanswered) {
      LOG.debug("the order is written nevertheless", unanswered);
    }
    return new Orders(timeout).give(file, order.values(StopKeys.NODE), () -> stopOf(node));
  }

  private JsonNode stopOf(NodeAddress node)
      throws Orders.UnansweredException, InterruptedException {
    try {
      return client.read(node).path("stop");
    } catch (StatusException e) {
      throw new Orders.UnansweredException(
          e.getMessage(), e.getCause() instanceof ConnectException, e);
    }
  }

  /** Rejects a daemon on another machine: the operator is on the wrong one. */
  static void requireHere(NodeAddress node, String daemon) throws RefusedException {
    try {
      if (ThisMachine.is(node.host())) {
        return;
      }
    } catch (IOException e) {
      throw new RefusedException("%s: unknown host (%s)".formatted(node, e.getMessage()));
    }
    throw new RefusedException(
        node + " is not this machine: run this on the machine of that " + daemon);
  }

  private static void requireAgreement(NodeAddress node, Path file, JsonNode configuration)
      throws RefusedException {
    String told = configuration.path("file").asText("none");
    if (!told.equals(file.toString())) {
      throw new RefusedException(
          "%s reports that its overrides file is %s, but the configuration here names %s: give --node and --conf of the same NodeManager, and restart it if yarn-site.xml has changed since its start"
              .formatted(node, told, file));
    }
  }

  private JsonNode awaitRead(NodeAddress node, Path file, long written)
      throws RefusedException, StatusException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      JsonNode status = client.read(node);
      if (status.path("configuration").path("readMillis").asLong() >= written) {
        return status;
      }
      if (System.nanoTime() > end) {
        throw new RefusedException(
            "%s has not read %s for %d s, so the change is undone; the NodeManager's log says more"
                .formatted(node, file, timeout.toSeconds()));
      }
      Thread.sleep(POLL_INTERVAL.toMillis());
    }
  }
}
