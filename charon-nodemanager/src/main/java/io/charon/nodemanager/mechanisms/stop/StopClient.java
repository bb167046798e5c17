/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.StopOrder;
import io.charon.web.http.BoundedClient;
import io.charon.web.http.WebAccess;
import io.charon.web.stop.StopMessages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/** Queries one ResourceManager's web server for the cluster's order. */
final class StopClient implements ClusterOrders.Asker {
  /**
   * Timeout for connecting, and again for the whole answer (our choice). An answer is one line from
   * memory, and with the period of 5 s an order has to arrive within 6 s.
   */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final StopMessages messages = new StopMessages();
  private final BoundedClient client;

  StopClient(WebAccess web) {
    this.client = web.client(TIMEOUT, TIMEOUT, StopMessages.MAX_BYTES);
  }

  @Override
  public StopOrder ask(URI server) throws IOException, InterruptedException {
    return messages.order(
        client.send(HttpRequest.newBuilder(server.resolve(StopMessages.PATH)).GET()));
  }
}
