/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.PeakReport;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends one message to a ResourceManager's web server. */
final class PeakClient {
  /** For connecting, and again for the whole answer (ours). */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int LONGEST_REASON = 200;

  private final PeakMessages messages = new PeakMessages();

  /** Redirects are not followed: a ResourceManager that is not the active one sends them. */
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * Tells and hears.
   *
   * @throws IOException saying why there is no answer
   */
  PeakNews exchange(URI server, PeakReport report) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(PeakMessages.PATH))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(messages.write(report)))
            .build();
    HttpResponse<byte[]> response = send(request);
    if (response.statusCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("status " + response.statusCode() + reason(response.body()));
    }
    return messages.news(response.body());
  }

  /** The request's own timeout ends with the answer's first line; this bounds all of it. */
  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, bounded());
    try {
      return answer.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().toString(), e);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + PATIENCE.multipliedBy(2), e);
    } finally {
      answer.cancel(true);
    }
  }

  /** An answer of unknown or too large a size is not read. */
  private static BodyHandler<byte[]> bounded() {
    return info ->
        info.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE)
                <= PeakMessages.MOST_BYTES
            ? BodySubscribers.ofByteArray()
            : BodySubscribers.replacing(new byte[0]);
  }

  private static String reason(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).replaceAll("[^ -~]+", " ").strip();
    return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), LONGEST_REASON));
  }
}
