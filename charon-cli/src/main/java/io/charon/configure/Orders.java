/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Gives an order to stop, to resume or to read keys again, and waits until a daemon reports that it
 * has read the order. Unlike other changes, an order is never reverted: a stop without confirmation
 * is still what the operator wants.
 */
public final class Orders {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private final Duration timeout;

  /** Reads what a daemon reports about orders. */
  @FunctionalInterface
  public interface Daemon {
    /**
     * Reads the current report.
     *
     * @return the report, with {@code readMillis}: the modification time of the file version read
     *     last
     * @throws UnansweredException if there is no report
     */
    JsonNode read() throws UnansweredException, InterruptedException;
  }

  /** No report from a daemon; the message says why. */
  public static final class UnansweredException extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean down;

    /**
     * Creates the exception.
     *
     * @param down whether no process listens at the daemon's address
     */
    public UnansweredException(String message, boolean down, Throwable cause) {
      super(message, cause);
      this.down = down;
    }

    /** Whether no process listens at the daemon's address. */
    public boolean isDown() {
      return down;
    }
  }

  /**
   * The result of an order.
   *
   * @param daemon the daemon's report after the order; missing if it did not confirm
   * @param took time from the command's write to the confirmation
   * @param unconfirmed why there is no confirmation; empty if there is one
   * @param down whether the reason is that the daemon does not run
   */
  public record Given(JsonNode daemon, Duration took, Optional<String> unconfirmed, boolean down) {}

  /**
   * Creates the giver of orders.
   *
   * @param timeout how long a daemon may take to read an order
   */
  public Orders(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Writes an order and waits for the confirmation.
   *
   * @param file the file to which the order is written
   * @param order keys and values of the order
   * @param daemon the daemon that has to obey
   * @throws IOException if the file cannot be read or written, or must not be trusted
   */
  public Given give(TrustedProperties file, Map<String, String> order, Daemon daemon)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    long written =
        new OverridesEditor(file, Clock.systemUTC())
            .change(values -> values.putAll(order))
            .modifiedMillis();
    String unconfirmed;
    boolean down = false;
    do {
      try {
        JsonNode said = daemon.read();
        down = false;
        if (said.path("readMillis").asLong() >= written) {
          return new Given(
              said, Duration.ofNanos(System.nanoTime() - began), Optional.empty(), false);
        }
        unconfirmed = "the daemon has not read the order yet";
      } catch (UnansweredException e) {
        unconfirmed = e.getMessage();
        down = e.isDown();
      }
      Thread.sleep(POLL_INTERVAL.toMillis());
    } while (!down && System.nanoTime() - began < timeout.toNanos());
    return new Given(
        MissingNode.getInstance(),
        Duration.ofNanos(System.nanoTime() - began),
        Optional.of(unconfirmed),
        down);
  }
}
