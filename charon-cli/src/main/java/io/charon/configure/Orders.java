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
 * Gives an order to stop, to resume or to read keys again, and waits until a daemon says that it
 * has read it. Unlike other changes it is never taken back: a stop that nobody confirms is still
 * what the operator wants.
 */
public final class Orders {
  private static final Duration LOOKS = Duration.ofMillis(50);

  private final Duration timeout;

  /** What a daemon says of orders. */
  @FunctionalInterface
  public interface Daemon {
    /**
     * What it says now.
     *
     * @return with {@code readMillis}, the modification time of the file as it was read last
     * @throws UnansweredException if it says nothing
     */
    JsonNode read() throws UnansweredException, InterruptedException;
  }

  /** A daemon that says nothing; the message says why. */
  public static final class UnansweredException extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean down;

    /**
     * No answer.
     *
     * @param down whether nobody listens there
     */
    public UnansweredException(String message, boolean down, Throwable cause) {
      super(message, cause);
      this.down = down;
    }

    /** Whether nobody listens there. */
    public boolean isDown() {
      return down;
    }
  }

  /**
   * What came of an order.
   *
   * @param daemon what the daemon says since; missing if it did not confirm
   * @param took from the command's write to the daemon's word
   * @param unconfirmed why there is none; empty if there is
   * @param down whether that is because the daemon does not run
   */
  public record Given(JsonNode daemon, Duration took, Optional<String> unconfirmed, boolean down) {}

  /**
   * Gives orders.
   *
   * @param timeout for how long a daemon may take to read one
   */
  public Orders(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Writes an order and waits.
   *
   * @param file where it stands
   * @param order what is wanted, as it stands there
   * @param daemon who is to obey
   * @throws IOException if the file cannot be read or written, or is not to be believed
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
      Thread.sleep(LOOKS.toMillis());
    } while (!down && System.nanoTime() - began < timeout.toNanos());
    return new Given(
        MissingNode.getInstance(),
        Duration.ofNanos(System.nanoTime() - began),
        Optional.of(unconfirmed),
        down);
  }
}
