/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.web.http.BoundedClient;
import io.charon.web.http.WebAccess;
import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.PeakReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/** Sends a message to a ResourceManager's web server. */
final class PeakClient {
  /** Timeout for connecting, and again for the whole answer (our choice). */
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final PeakMessages messages = new PeakMessages();
  private final BoundedClient client;

  PeakClient(WebAccess web) {
    this.client = web.client(TIMEOUT, TIMEOUT, PeakMessages.MAX_BYTES);
  }

  /**
   * Sends a report and returns the answer.
   *
   * @throws IOException saying why there is no answer
   */
  PeakNews exchange(URI server, PeakReport report) throws IOException, InterruptedException {
    return messages.news(
        client.send(
            HttpRequest.newBuilder(server.resolve(PeakMessages.PATH))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(messages.write(report)))));
  }
}
